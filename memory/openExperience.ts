import { join } from "node:path";
import { type DataPlace, fileFolder } from "../storage/database.js";
import { CHARACTERS_PER_TOKEN } from "../common/tokens.js";
import type { CallAverages } from "../state/budget/prices.js";
import { type Database, closedStore, openDatabase } from "../storage/sqlite/sqlite.js";
import { type AddEntries, demonstrationStore } from "./demonstrations/demonstrationStore.js";
import {
  EXPERIENCE_MIGRATIONS,
  type EvidenceQuestion,
  type ExperienceStats,
  type PastCall,
} from "./experience.js";
import type { FollowedEntries, Insight } from "./experienceEntries.js";
import type { SimilarityReader } from "./similarities.js";

/**
 * Opens the experience of a home: the file `memory.db`, which is created if missing, or the rows of a database.
 * Several processes may add to it at once: each `add` is a short transaction, and its calls are safe once it returns.
 *
 * The store keeps in memory the vectors of the past requests it has compared, and of the latest requests it was asked
 * about. What only a home with experience needs is loaded on first use.
 *
 * @throws StorageFailed when the file is of a newer version or cannot be opened; every method throws it once
 * the store is closed
 */
export function openExperience(place: DataPlace) {
  const file = join(fileFolder(place), "memory.db");
  const database = openDatabase({ file, migrations: EXPERIENCE_MIGRATIONS });
  const connect = (): Database => {
    if (database.open) return database;
    throw closedStore(file);
  };
  let following: Promise<FollowedEntries> | undefined;
  const followed = async () => {
    connect();
    if (place.url === undefined) return undefined;
    following ??= import("./experienceEntries.js").then((module) =>
      module.followEntries(place, connect),
    );
    return await following;
  };
  const newest = async () => {
    await (await followed())?.refresh();
    return connect();
  };
  const add: AddEntries = async (make) => {
    const module = await import("./experienceEntries.js");
    const entries = make(module);
    const there = await followed();
    const addHere = () => connect().transaction(() => module.addEntries(database, entries));
    const added = there ? await there.add(entries) : addHere().immediate();
    return { added, known: entries.length - added };
  };
  let reader: Promise<SimilarityReader> | undefined;
  const similaritiesOf: SimilarityReader = async (question) => {
    reader ??= import("./similarities.js").then((module) => module.requestSimilarities(connect));
    return await (
      await reader
    )(question);
  };
  return {
    /** Adds calls in one transaction and says how many were new. */
    add: (pastCalls: readonly PastCall[]) => add(({ entryOfCall }) => pastCalls.map(entryOfCall)),
    /** Gives verdicts to calls that nobody could judge when they were added. */
    label: (pastCalls: readonly PastCall[]) =>
      // In a database, an entry of its own, because entries do not change.
      add(({ entryOfCall }) =>
        pastCalls.map((call) => ({ ...entryOfCall(call), id: `${call.id} verdict` })),
      ),
    /**
     * Evidence for each candidate, in their order; a tool without judged calls has no rows. Past requests without
     * a vector of this embedding model are embedded first.
     */
    evidence: async (question: EvidenceQuestion) => {
      const { findEvidence } = await import("./similarities.js");
      return await findEvidence({ database: await newest(), similaritiesOf, question });
    },
    /** The past calls of a library, or of all, oldest first, read lazily. */
    async *pastCalls(options: { library?: string } = {}) {
      const { readPastCalls } = await import("./pastCalls.js");
      await newest();
      yield* readPastCalls({ connect, ...options });
    },
    /** The names of the libraries with experience, sorted. */
    libraries: async () => (await newest()).prepare(LIBRARIES).pluck().all() as string[],
    /** What calls of each tool took on average; tools without past calls are left out. */
    averages: async ({ library, tools }: { library: string; tools: readonly string[] }) => {
      const read = (await newest()).prepare(AVERAGES);
      const rows = tools.map((tool) => [tool, read.get(library, tool) as CallAverages] as const);
      return new Map(rows.filter(([, { ms }]) => Number.isFinite(ms)));
    },
    stats: async ({ library }: { library?: string } = {}) => readStats(await newest(), library),
    /** Keeps what a reflection taught; the same for a library is kept once. */
    addInsight: (insight: Insight) => add(({ entryOfInsight }) => [entryOfInsight(insight)]),
    /** The latest insights of a library, oldest first. */
    insights: async ({ library, most }: { library: string; most: number }) => {
      const { readInsights } = await import("./experienceEntries.js");
      return readInsights(await newest(), library, most);
    },
    demonstrations: demonstrationStore({ newest, add, similaritiesOf }),
    close: async () => {
      database.close();
      await (await following)?.close();
    },
  };
}

/** Null without past calls. Results are kept cut, so that long ones count as if they were shorter. */
const AVERAGES = `SELECT avg(ms) AS ms, avg(length(result)) / ${CHARACTERS_PER_TOKEN} AS resultTokens
  FROM usages WHERE tool = (SELECT tools.number FROM tools
    JOIN libraries ON libraries.number = tools.library WHERE name = ? AND id = ?)`;

const LIBRARIES =
  "SELECT name FROM libraries WHERE number IN (SELECT library FROM tools) ORDER BY name";

function readStats(database: Database, library?: string): ExperienceStats {
  const chosen = "(SELECT number FROM libraries WHERE ?1 IS NULL OR name = ?1)";
  return (
    database
      .prepare(
        `SELECT coalesce(sum(calls), 0) AS usages,
         (SELECT count(*) FROM queries WHERE library IN ${chosen}
            AND number IN (SELECT query FROM usages)) AS queries,
         count(*) AS tools,
         coalesce(sum(helpful), 0) AS helpful,
         coalesce(sum(judged - helpful), 0) AS unhelpful,
         coalesce(sum(calls - judged), 0) AS unjudged
       FROM tools WHERE library IN ${chosen}`,
      )
      // In a list, because libsql takes a lone null for named parameters.
      .get([library ?? null]) as ExperienceStats
  );
}
