import type { Database } from "../../storage/sqlite/sqlite.js";
import type { EmbeddingModel } from "../../tools/library/vectors/embedding.js";
import { numbering } from "../experience.js";
import type * as Entries from "../experienceEntries.js";
import type { SimilarityReader } from "../similarities.js";

/** A call that a demonstration shows. */
export interface DemonstrationCall {
  tool: string;
  args: Record<string, unknown>;
  /** Its result as JSON data; absent if unknown. */
  result?: unknown;
}

/** A task and the calls that do it, to show a model before it does a similar one (TPTU-v2, arXiv:2311.11315). */
export interface Demonstration {
  library: string;
  task: string;
  /** At least one, in the order in which they are made. */
  calls: DemonstrationCall[];
  answer?: string;
  /** `subtask`: shown for similar tasks · `tool`: shows how the tool is called, if there is no similar task. */
  level: "subtask" | "tool";
  source: "file" | "generated" | "run";
  /** Milliseconds since 1970. */
  at: number;
}

export interface DemonstrationQuestion {
  library: string;
  query: string;
  /** Ids of the existing tools; a demonstration with any other tool is not used. */
  available: ReadonlySet<string>;
  /** Ids of the tools found for the query, best first. */
  retrieved: readonly string[];
  /** Δ: a task counts as similar above this cosine. */
  threshold: number;
  /** k: most demonstrations of level `subtask`. */
  count: number;
  embeddings: EmbeddingModel;
}

export type DemonstrationStore = ReturnType<typeof demonstrationStore>;

/** A demonstration with the number of its task among the compared texts. */
interface StoredDemonstration {
  number: number;
  query: number;
  demonstration: Demonstration;
}

/** Adds entries, all or none, and counts those that are new. */
export type AddEntries = (
  make: (entries: typeof Entries) => readonly Entries.Entry[],
) => Promise<{ added: number; known: number }>;

/** The demonstrations of an open `memory.db`. */
export function demonstrationStore(options: {
  /** Gives the rows as they are now. */
  newest: () => Promise<Database>;
  add: AddEntries;
  similaritiesOf: SimilarityReader;
}) {
  const { newest, add, similaritiesOf } = options;
  const stored = async (library?: string) => readDemonstrations(await newest(), library);
  return {
    /**
     * Adds demonstrations in one transaction and says how many were new. Those with the same library, task, calls
     * and level count as the same; results, answer, source and time do not matter.
     */
    add: (demonstrations: readonly Demonstration[]) =>
      add(({ entryOfDemonstration }) => demonstrations.map(entryOfDemonstration)),
    /** All demonstrations of a library, or of all, oldest first. */
    list: async ({ library }: { library?: string } = {}) =>
      (await stored(library)).map(({ demonstration }) => demonstration),
    /** The names of the libraries with demonstrations, sorted. */
    libraries: async () =>
      (await newest())
        .prepare(
          `SELECT name FROM libraries
           WHERE number IN (SELECT library FROM queries JOIN demonstrations ON query = queries.number)
           ORDER BY name`,
        )
        .pluck()
        .all() as string[],
    /**
     * The demonstrations to show for a query (TPTU-v2): the `count` most similar of level `subtask` with a cosine above
     * `threshold`; if there are none, the most similar of level `tool` for each retrieved tool, in the order of the
     * tools. Equally similar ones come oldest first. Tasks without a vector of this embedding model are embedded first.
     */
    select: async (question: DemonstrationQuestion) =>
      await selectDemonstrations({
        demonstrations: await stored(question.library),
        similaritiesOf,
        question,
      }),
  };
}

/** Adds a demonstration, if none of this id is there, and returns how many were added. */
export function addDemonstration(database: Database, id: string, added: Demonstration): number {
  const { library, task, level, calls, answer = null, source, at } = added;
  const libraryNumber = numbering(database, { table: "libraries", columns: ["name"] });
  const queryNumber = numbering(database, { table: "queries", columns: ["library", "text"] });
  const query = queryNumber(libraryNumber(library), task);
  return database
    .prepare(
      `INSERT INTO demonstrations (id, query, level, calls, answer, source, at)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    )
    .run(id, query, level, JSON.stringify(calls), answer, source, at).changes;
}

interface DemonstrationRow {
  number: number;
  query: number;
  library: string;
  task: string;
  calls: string;
  answer: string | null;
  level: Demonstration["level"];
  source: Demonstration["source"];
  at: number;
}

function readDemonstrations(database: Database, library?: string): StoredDemonstration[] {
  const rows = database
    .prepare(
      `SELECT demonstrations.*, libraries.name AS library, queries.text AS task
       FROM demonstrations
       JOIN queries ON queries.number = demonstrations.query
       JOIN libraries ON libraries.number = queries.library
       WHERE libraries.name = coalesce(?, libraries.name)
       ORDER BY demonstrations.number`,
    )
    // In a list, because libsql takes a lone null for named parameters.
    .all([library ?? null]) as DemonstrationRow[];
  return rows.map(({ number, query, library, task, calls, answer, level, source, at }) => ({
    number,
    query,
    demonstration: {
      library,
      task,
      calls: JSON.parse(calls) as Demonstration["calls"],
      ...(answer === null ? {} : { answer }),
      level,
      source,
      at,
    },
  }));
}

async function selectDemonstrations(options: {
  /** Those of the question's library, oldest first. */
  demonstrations: readonly StoredDemonstration[];
  similaritiesOf: SimilarityReader;
  question: DemonstrationQuestion;
}): Promise<Demonstration[]> {
  const { similaritiesOf, question } = options;
  const { query, available, retrieved, threshold, count, embeddings } = question;
  if (count === 0) return [];
  const usable = options.demonstrations.filter(({ demonstration }) =>
    demonstration.calls.every(({ tool }) => available.has(tool)),
  );
  const ranked = async (isMeant: (each: Demonstration) => boolean) => {
    const candidates = usable.filter(({ demonstration }) => isMeant(demonstration));
    return await mostSimilarFirst({ candidates, query, similaritiesOf, embeddings });
  };
  const ofTasks = await ranked(({ level }) => level === "subtask");
  const alike = ofTasks.filter(({ similarity }) => similarity > threshold);
  if (alike.length > 0) return alike.slice(0, count).map(({ demonstration }) => demonstration);
  const found = new Set(retrieved);
  const ofTools = await ranked((each) => each.level === "tool" && found.has(toolOf(each)));
  return [...found].flatMap(
    (tool) => ofTools.find((each) => toolOf(each.demonstration) === tool)?.demonstration ?? [],
  );
}

/** The tool of a demonstration of level `tool`, which has one call. */
function toolOf({ calls }: Demonstration): string {
  return calls[0]?.tool ?? "";
}

async function mostSimilarFirst(options: {
  candidates: readonly StoredDemonstration[];
  query: string;
  similaritiesOf: SimilarityReader;
  embeddings: EmbeddingModel;
}): Promise<{ demonstration: Demonstration; similarity: number }[]> {
  const { candidates, query, similaritiesOf, embeddings } = options;
  if (candidates.length === 0) return [];
  const past = Uint32Array.from(new Set(candidates.map((candidate) => candidate.query))).toSorted();
  const similarities = await similaritiesOf({ query, past, embeddings });
  return candidates
    .map(({ query, demonstration }) => ({ demonstration, similarity: similarities[query] ?? 0 }))
    .toSorted((one, other) => other.similarity - one.similarity);
}
