/**
 * How often one search, made before a model was asked, offers all tools that a request needs: by the whole
 * request, and as the graph `tulip` searches, by the request and its parts.
 *
 *   npx tsx eval/experiments/priming.ts --bench ../shared/bench [--sets a,b] [--half measured|tuned]
 *
 * Requests are halved by a hash: with one half the way of joining was chosen, the other one is measured.
 * Vectors are kept in the home's cache: the first run embeds some 40,000 texts, which takes minutes.
 */
import type { Benchmark, Task } from "../benchmarks/benchmark.js";
import { openBenchmark } from "../benchmarks/index.js";
import type { CachedEmbeddings } from "../../models/embeddingCache.js";
import { clausesOf } from "../../tools/library/clauses.js";
import { LOCAL_EMBEDDINGS, parseContext } from "../../state/context.js";
import { sha256 } from "../../tools/library/hash.js";
import { type Ranking } from "../../tools/library/search.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import {
  BENCH,
  inTemporaryFolder,
  optionsOf,
  presentSets,
  shareText,
  withEmbeddings,
  writeHead,
  writeRow,
} from "./scriptSupport.js";

const SETS =
  "math,work,tulip_math,workbench,nestful_v1,restbench,apibank,bfcl_multiturn,metatool,toolalpaca,seal_tools,toolbench,bigmix";

/** A way to choose the tools that are offered for a request. */
interface Way {
  name: string;
  topK: number;
  ranking: Ranking;
  asFewAsNeeded?: boolean;
}

const { topK, primingTopK } = parseContext({});

const WAYS: Way[] = [
  { name: `meaning, ${topK}`, topK, ranking: "meaning" },
  { name: `meaning, ${primingTopK}`, topK: primingTopK, ranking: "meaning" },
  { name: `both, ${primingTopK}`, topK: primingTopK, ranking: "both" },
  { name: "both, as few as needed", topK: primingTopK, ranking: "both", asFewAsNeeded: true },
];

const { bench, sets, half } = optionsOf({ bench: BENCH, sets: SETS, half: "measured" });
const present = presentSets({ bench, sets });
if (present.length > 0) await withEmbeddings(LOCAL_EMBEDDINGS, measure);

async function measure(embeddings: CachedEmbeddings): Promise<void> {
  writeHead(["set", "tools", "tasks", ...WAYS.map(({ name }) => name), "offered", "time"]);
  for (const name of present) await measureSet(await openBenchmark(name), embeddings);
}

async function measureSet(set: Benchmark, embeddings: CachedEmbeddings): Promise<void> {
  const tasks = set.tasks.filter((task) => task.tools.length > 0 && isInHalf(task));
  await embeddings.embedMissing(tasks.flatMap(({ query }) => [query, ...clausesOf(query)]));
  await inTemporaryFolder("priming", async (home) => {
    const store = openLibraryStore({ home });
    try {
      const library = store.open({
        name: "set",
        embeddings,
        embeddingModel: LOCAL_EMBEDDINGS,
        create: true,
      });
      await library.sync({ origin: "set", fingerprint: "", tools: set.tools });
      await printSet({ set, tasks, library });
    } finally {
      store.close();
    }
  });
}

async function printSet(options: {
  set: Benchmark;
  tasks: readonly Task[];
  library: ToolLibrary;
}): Promise<void> {
  const { set, tasks, library } = options;
  await library.search({ phrases: ["warm up"], topK: 1 });
  const from = performance.now();
  await library.search({ phrases: ["warm up"], topK: 1 });
  const indexing = performance.now() - from;
  const results = [];
  for (const way of WAYS) results.push(await searchAll({ way, tasks, library }));
  const several = tasks.map(({ tools }) => new Set(tools).size > 1);
  const cells = results.map(({ complete }) => {
    const ofSeveral = complete.filter((_, at) => several[at]);
    return `${share(complete)} / ${share(ofSeveral)}`;
  });
  const last = results.at(-1);
  const time = `${last?.ms.toFixed(0)} ms, ${(indexing / 1000).toFixed(1)} s`;
  const counts = `${tasks.length} / ${several.filter(Boolean).length}`;
  writeRow([set.name, set.tools.length, counts, ...cells, last?.offered.toFixed(1), time]);
}

/** Whether each task was offered all of its tools; how many were offered, and how long a search took. */
async function searchAll(options: { way: Way; tasks: readonly Task[]; library: ToolLibrary }) {
  const { way, tasks, library } = options;
  const complete: boolean[] = [];
  let offered = 0;
  const started = performance.now();
  for (const { query, tools } of tasks) {
    const { results } = await library.search({ ...way, phrases: [query] });
    const ids = new Set(results.flatMap(({ hits }) => hits.map(({ id }) => id)));
    complete.push(tools.every((id) => ids.has(id)));
    offered += ids.size;
  }
  const ms = (performance.now() - started) / tasks.length;
  return { complete, offered: offered / tasks.length, ms };
}

function isInHalf({ query }: Task): boolean {
  const isTuned = Number.parseInt(sha256(query).slice(0, 8), 16) % 2 === 0;
  return isTuned === (half === "tuned");
}

function share(flags: readonly boolean[]): string {
  return shareText(flags.filter(Boolean).length / flags.length, 2);
}
