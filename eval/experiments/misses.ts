/**
 * How many requests that fit a library find something in it (coverage), and how many that do not fit find something
 * anyway (false alarms): by one distance for all libraries, as it was before, and by a limit that each library sets for
 * itself.
 *
 *   npx tsx eval/experiments/misses.ts --bench ../shared/bench [--sets a,b] [--most 200] [--embeddings P:N]
 *
 * Requests that do not fit: rows of a set that none of its tools can serve; requests whose right tools are removed from
 * the library (other tools may still serve them); requests of sets on other topics; and chat. The last table shows the
 * reach that keeps each share of the requests (stored in `tools/library/misses.ts`), as the mean of all sets. The
 * coverage of each set is computed with the mean of the other sets.
 */
import { join } from "node:path";
import type { CachedEmbeddings } from "../../models/embeddingCache.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { EVERYDAY, reachNeeded } from "../../tools/library/misses.js";
import { embeddedTexts, type Ranking } from "../../tools/library/request.js";
import { readDeclarations } from "../../tools/sources/readDeclarations.js";
import { quantile } from "../statistics/descriptive.js";
import { withTemporaryLibrary } from "../retrieval/temporaryLibrary.js";
import {
  BENCH,
  optionsOf,
  presentSets,
  readLines,
  shareText,
  withEmbeddings,
  write,
  writeHead,
  writeRow,
} from "./scriptSupport.js";

/** Sets, each with sets on other topics. Large sets have tools for nearly everything. */
const OTHERS: Record<string, string[]> = {
  tulip_math: ["workbench", "restbench"],
  workbench: ["tulip_math", "restbench"],
  restbench: ["tulip_math", "workbench"],
  apibank: ["restbench", "toolalpaca"],
  toolalpaca: ["workbench"],
  bfcl_multiturn: ["restbench"],
  nestful_v1: ["restbench"],
  metatool: ["workbench"],
  bfcl_single: [],
  toolbench: [],
  seal_tools: [],
  bigmix: [],
};

/** Requests that nobody has a tool for; none is among the everyday phrases with which libraries are calibrated. */
const CHAT = [
  "tell me a joke about cats",
  "what is the meaning of life",
  "how do I get over a breakup",
  "write a poem about autumn leaves",
  "which shoes go with a green dress",
  "who would win in a fight, a lion or a tiger",
  "teach me to whistle",
  "is there life after death",
  "my knee hurts when I climb stairs",
  "knit a scarf for my grandmother",
  "what should I name my goldfish",
  "sing me a lullaby",
  "why do people dream",
  "help me forgive my brother",
  "paint the fence behind the house",
  "what did Plato think of art",
  "repair the leaking tap in the kitchen",
  "tune my guitar",
  "how many angels can dance on the head of a pin",
  "give my plants some water",
];

const {
  bench,
  sets,
  most,
  embeddings: model,
} = optionsOf({
  bench: BENCH,
  sets: Object.keys(OTHERS).join(","),
  most: 200,
  embeddings: LOCAL_EMBEDDINGS,
});
/** The earlier distance for all libraries: with the packaged encoder, and with others. */
const ONE_DISTANCE = model === LOCAL_EMBEDDINGS ? 1 : 1.25;

const KINDS = ["fitting", "no tool", "taken out", "other matter", "chat"] as const;
type Kind = (typeof KINDS)[number];

/** The reach that a request needs to find its nearest tool. */
interface Asked {
  kind: Kind;
  reach: Record<Way, number>;
}

/** By words and meaning, by meaning, or by the plain distance, which has the same limit for all libraries. */
type Way = "words" | "meaning" | "distance";

interface Row {
  query: string;
  tools: string[];
}

const WAYS = ["distance", "meaning", "words"] as const satisfies readonly Way[];

const SHARES = [0.5, 0.8, 0.9, 0.95, 0.98, 0.99];
const SHARE = 0.95;

/** Hits per search: the nearest tool is always among them. */
const DEPTH = 100;

const measured = new Map<string, Asked[]>();
await withEmbeddings(model, async (embeddings) => {
  for (const folder of presentSets({ bench, sets })) {
    measured.set(folder, await measureSet(folder, embeddings));
  }
});
report();

async function measureSet(folder: string, embeddings: CachedEmbeddings): Promise<Asked[]> {
  const { tools } = await readDeclarations({ file: join(folder, "tools.jsonl") });
  const asked = requestsOf(folder);
  const texts = asked.flatMap(({ query }) => embeddedTexts(query));
  await embeddings.embedMissing(texts, "queries");
  const named = { embeddings, name: model };
  return await withTemporaryLibrary({ tools, model: named }, async (library) => {
    const everyday = await everydayOf(library);
    const answers: Asked[] = [];
    for (const one of asked) answers.push(...(await ask({ ...one, library, everyday })));
    return answers;
  });
}

function requestsOf(folder: string): (Row & { kind: Kind })[] {
  const own = rowsOf(folder);
  const name = folder.split("/").at(-1) ?? "";
  const others = (OTHERS[name] ?? []).flatMap((other) =>
    some(rowsOf(join(bench, other)).filter(isServed), most / 2),
  );
  return [
    ...some(own.filter(isServed), most).map((row) => ({ ...row, kind: "fitting" as const })),
    ...some(
      own.filter((row) => !isServed(row)),
      most,
    ).map((row) => ({ ...row, kind: "no tool" as const })),
    ...others.map((row) => ({ ...row, kind: "other matter" as const })),
    ...CHAT.map((query) => ({ query, tools: [], kind: "chat" as const })),
  ];
}

function rowsOf(folder: string): Row[] {
  return readLines<Row>(join(folder, "queries.jsonl"));
}

function isServed({ tools }: Row): boolean {
  return tools.length > 0;
}

/** Spread evenly over all. */
function some<Value>(values: readonly Value[], count: number): Value[] {
  const step = Math.max(values.length / count, 1);
  return values.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
}

async function everydayOf(library: ToolLibrary): Promise<number> {
  const question = { phrases: EVERYDAY, topK: 1, ranking: "meaning" as const };
  const { results } = await library.search(question);
  return quantile(
    results.flatMap(({ hits }) => hits.map(({ distance }) => distance)),
    0.5,
  );
}

async function ask(options: Row & { kind: Kind; library: ToolLibrary; everyday: number }) {
  const { query, tools, kind, library, everyday } = options;
  const search = async (ranking: Ranking) => {
    const question = { phrases: [query], topK: DEPTH, ranking, explain: true };
    return (await library.search(question)).results[0]?.hits ?? [];
  };
  const [words, meaning] = [await search("both"), await search("meaning")];
  const asked = (of: Kind, isThere: (id: string) => boolean): Asked => {
    const reachOf = (hits: typeof words) =>
      Math.min(
        ...hits.filter(({ id }) => isThere(id)).map((tool) => reachNeeded({ tool, everyday })),
      );
    const there = meaning.filter(({ id }) => isThere(id));
    return {
      kind: of,
      reach: {
        words: reachOf(words),
        meaning: reachOf(meaning),
        distance: Math.min(...there.map(({ distance }) => distance)),
      },
    };
  };
  const whole = asked(kind, () => true);
  if (kind !== "fitting") return [whole];
  return [whole, asked("taken out", (id) => !tools.includes(id))];
}

function report(): void {
  const names = [...measured.keys()];
  write(
    `one distance for all, ${ONE_DISTANCE} / one that keeps ${SHARE} / by meaning / by words and meaning\n`,
  );
  writeHead(["set", ...KINDS]);
  for (const name of names) {
    const sets = names.filter((each) => each !== name);
    const limits = WAYS.map((way) => [way, reachKeeping({ share: SHARE, way, sets })] as const);
    const cells = KINDS.map((kind) => cell({ name, kind, limits }));
    writeRow([name.split("/").at(-1), ...cells]);
  }
  write("\nWhat keeps a share of the fitting requests, mean of the sets\n");
  writeHead(["by", ...SHARES.map(String)]);
  for (const way of WAYS) {
    const reaches = SHARES.map((share) => reachKeeping({ share, way, sets: names }));
    writeRow([way, ...reaches.map((reach) => reach.toFixed(3))]);
  }
}

/** The reach that keeps a share of the fitting requests; each set counts the same, however large. */
function reachKeeping(options: { share: number; way: Way; sets: readonly string[] }): number {
  const { share, way, sets: among } = options;
  const weighed = among.flatMap((name) => {
    const fitting = (measured.get(name) ?? []).filter(({ kind }) => kind === "fitting");
    return fitting.map(({ reach }) => ({ reach: reach[way], weight: 1 / fitting.length }));
  });
  let left = share * among.length;
  for (const { reach, weight } of weighed.toSorted((one, other) => one.reach - other.reach)) {
    left -= weight;
    if (left <= 1e-9) return reach;
  }
  return Number.POSITIVE_INFINITY;
}

function cell(options: {
  name: string;
  kind: Kind;
  limits: readonly (readonly [Way, number])[];
}): string {
  const { name, kind, limits } = options;
  const all = (measured.get(name) ?? []).filter((one) => one.kind === kind);
  if (all.length === 0) return "";
  const below = (way: Way, limit: number) => all.filter(({ reach }) => reach[way] < limit).length;
  const counts = [
    below("distance", ONE_DISTANCE),
    ...limits.map(([way, limit]) => below(way, limit)),
  ];
  const { low, high } = intervalOf({ count: counts.at(-1) ?? 0, of: all.length });
  const shares = counts.map((count) => shareText(count / all.length, 2));
  return `${shares.join(" / ")} [${shareText(low, 2)}, ${shareText(high, 2)}]`;
}

/** Wilson's score interval (95 %) for a share. */
function intervalOf({ count, of }: { count: number; of: number }): { low: number; high: number } {
  const z = 1.96;
  const share = count / of;
  const middle = share + (z * z) / (2 * of);
  const half = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const whole = 1 + (z * z) / of;
  return { low: Math.max((middle - half) / whole, 0), high: (middle + half) / whole };
}
