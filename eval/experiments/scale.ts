/**
 * What a search costs in libraries of any size, apart from embedding. The tools are copies of those of `bigmix`, each
 * with its own name and vector (that of the tool, moved a little). The vectors of the packaged encoder are cached.
 *
 *   npx tsx eval/experiments/scale.ts --bench ../shared/bench --tools 16000,100000
 *   npx tsx eval/experiments/scale.ts --bench ../shared/bench --tools 1000000
 *
 * Timed searches use words and meaning; those compared with an exhaustive search use meaning only. With --cpu, times are
 * CPU times, for a machine with other work.
 *
 * A million tools take some 10 GB in the temporary folder. Memory is the peak of the process that makes the index, minus
 * what it had before, divided by the bytes of the vectors. The first search is that of a new process.
 */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Embeddings } from "@langchain/core/embeddings";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { distanceAt, queryOf } from "../../tools/library/distance.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { embeddedTexts, type Ranking } from "../../tools/library/request.js";
import { openLibraryStore } from "../../tools/library/store.js";
import { toolText } from "../../tools/library/toolText.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { mean, quantile } from "../statistics/descriptive.js";
import { inTemporaryFolder } from "../files.js";
import {
  BENCH,
  msOf,
  optionsOf,
  readLines,
  withEmbeddings,
  write,
  writeHead,
  writeRow,
} from "./scriptSupport.js";

/** Length of the random vector that is added to the vector of a copy, which has length 1. */
const MOVED = 0.5;

/** Tools stored at once. */
const CHUNK_SIZE = 10_000;

/** Timed searches, and searches whose hits are compared with an exhaustive search. */
const SEARCHES = 500;
const COMPARED = 100;
const TOP = 10;

/** Tools that are added one by one, with a search after each. */
const ADDED = 20;

interface Tool {
  name: string;
  description: string;
  parameters?: ToolDefinition["parameters"];
}

const options = optionsOf({ bench: BENCH, tools: "16000,100000", cpu: false, step: "", home: "" });
const rows = readLines<Tool>(join(options.bench, "bigmix/tools.jsonl"));
const requests = readLines<{ query: string }>(join(options.bench, "bigmix/queries.jsonl"));
const phrases = Array.from(
  { length: SEARCHES },
  (_, at) => requests[Math.floor((at * requests.length) / SEARCHES)]?.query ?? "",
);

const STEPS: Record<string, (size: number) => Promise<object>> = {
  fill: async (size) => {
    const library = await openLibrary({ create: true });
    for (let from = 0; from < size; from += CHUNK_SIZE) {
      const count = Math.min(CHUNK_SIZE, size - from);
      const tools = Array.from({ length: count }, (_, at) => copyOf(from + at));
      await library.sync({ origin: `part ${from}`, fingerprint: "1", tools });
    }
    return {};
  },
  index: async (size) => {
    const library = await openLibrary();
    const before = process.memoryUsage.rss();
    const ms = await timeOf(() => search(library, phrases[0]));
    const peak = process.resourceUsage().maxRSS * 1024 - before;
    return { seconds: ms / 1000, memory: peak / (size * (await dimensionOf()) * 4) };
  },
  search: async (size) => {
    const library = await openLibrary();
    const open = await timeOf(() => search(library, phrases[0]));
    const times: number[] = [];
    for (const phrase of phrases) times.push(await timeOf(() => search(library, phrase)));
    const added: number[] = [];
    for (let at = 0; at < ADDED; at += 1) {
      const tool = copyOf(size + at);
      const note = { by: "person", why: "measured" };
      let version = 0;
      const add = async () => {
        ({ version } = await library.put({ tool, basedOn: null, note }));
        await search(library, phrases[at]);
      };
      added.push(await timeOf(add));
      await library.discard({ id: tool.id, basedOn: version, note });
    }
    const found = [];
    for (const phrase of phrases.slice(0, COMPARED))
      found.push(await search(library, phrase, "meaning"));
    const [p50, p95] = [0.5, 0.95].map((share) => quantile(times, share));
    return { open, p50, p95, add: quantile(added, 0.5), recall: await recallOf({ size, found }) };
  },
};

async function main(): Promise<void> {
  const run = STEPS[options.step];
  if (run) return write(JSON.stringify(await run(Number(options.tools))));
  await baseVectors();
  writeHead([
    "tools",
    "index s",
    "memory / vectors",
    "first search ms",
    "p50 ms",
    "p95 ms",
    "add, search ms",
    "Recall@10",
  ]);
  for (const tools of options.tools.split(",")) await measure(tools);
}

async function measure(tools: string): Promise<void> {
  await inTemporaryFolder("scale", async (home) => {
    await inProcess({ step: "fill", tools, home });
    const { seconds, memory } = await inProcess({ step: "index", tools, home });
    const { open, p50, p95, add, recall } = await inProcess({ step: "search", tools, home });
    const figures = [seconds, memory, open, p50, p95, add, recall];
    const digits = [1, 2, 0, 1, 1, 0, 3];
    writeRow([tools, ...figures.map((figure, at) => figure?.toFixed(digits[at]))]);
  });
}

async function inProcess(step: {
  step: string;
  tools: string;
  home: string;
}): Promise<Record<string, number>> {
  const given = Object.entries({ ...step, bench: options.bench });
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    ...given.flatMap(([name, value]) => [`--${name}`, value]),
    ...(options.cpu ? ["--cpu"] : []),
  ]);
  return JSON.parse(stdout) as Record<string, number>;
}

/** Milliseconds of wall time, or of CPU time with --cpu. */
async function timeOf(work: () => Promise<unknown>): Promise<number> {
  if (!options.cpu) return await msOf(work);
  const since = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

async function openLibrary({ create = false } = {}): Promise<ToolLibrary> {
  const { tools, queries } = await baseVectors();
  const embeddings = new CopiedVectors({ tools, queries });
  const store = openLibraryStore({ home: options.home });
  return store.open({ name: "scale", embeddings, embeddingModel: "copied:bigmix", create });
}

async function search(library: ToolLibrary, phrase = "", ranking?: Ranking): Promise<string[]> {
  const { results } = await library.search({ phrases: [phrase], topK: TOP, ranking });
  return (results[0]?.hits ?? []).map(({ id }) => id);
}

function copyOf(number: number): ToolDefinition {
  const row = number % rows.length;
  const { name = "", description = "", parameters } = rows[row] ?? {};
  return {
    id: `t${number}`,
    name: `${name}_${number}`,
    description: `${description} [copy ${number}]`,
    parameters: parameters ?? { type: "object", properties: {} },
    source: { kind: "declared", file: "bigmix" },
    effects: "read",
  };
}

/** Vectors of the packaged encoder. */
async function baseVectors(): Promise<{ tools: number[][]; queries: Map<string, number[]> }> {
  return await withEmbeddings(LOCAL_EMBEDDINGS, async (embeddings) => {
    const tools = await embeddings.embedDocuments(rows.map(toolText));
    const texts = phrases.flatMap((phrase) => embeddedTexts(phrase));
    const vectors = await embeddings.embedDocuments(texts);
    return { tools, queries: new Map(texts.map((text, at) => [text, vectors[at] ?? []])) };
  });
}

async function dimensionOf(): Promise<number> {
  const { tools } = await baseVectors();
  return tools[0]?.length ?? 0;
}

/** Returns the cached vectors of requests and their parts, and moved vectors for copies of tools. */
class CopiedVectors extends Embeddings {
  constructor(private readonly base: Awaited<ReturnType<typeof baseVectors>>) {
    super({});
  }

  async embedDocuments(texts: string[]): Promise<number[][]> {
    return texts.map((text) => {
      const number = /\[copy (\d+)\]/.exec(text)?.[1];
      const { tools, queries } = this.base;
      return queries.get(text) ?? movedVector(tools, Number(number));
    });
  }

  async embedQuery(text: string): Promise<number[]> {
    return (await this.embedDocuments([text]))[0] ?? [];
  }
}

function movedVector(tools: readonly number[][], number: number): number[] {
  const vector = tools[number % tools.length] ?? [];
  if (number < tools.length) return vector;
  const reach = MOVED * Math.sqrt(12 / vector.length);
  let state = number;
  const moved = vector.map((value) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return value + reach * (state / 2 ** 32 - 0.5);
  });
  const length = Math.hypot(...moved);
  return moved.map((value) => value / length);
}

/** The share of the truly nearest tools that searches found. */
async function recallOf({ size, found }: { size: number; found: string[][] }): Promise<number> {
  const { tools, queries } = await baseVectors();
  const nearest = found.map((_, at) => ({
    query: queryOf(queries.get(phrases[at] ?? "") ?? []),
    best: [] as { id: string; distance: number }[],
  }));
  for (let number = 0; number < size; number += 1) {
    const vector = Float32Array.from(movedVector(tools, number));
    for (const { query, best } of nearest) {
      const distance = distanceAt(query, vector);
      if (distance >= (best[TOP - 1]?.distance ?? Number.POSITIVE_INFINITY)) continue;
      best.push({ id: `t${number}`, distance });
      best.sort((one, other) => one.distance - other.distance);
      best.length = Math.min(best.length, TOP);
    }
  }
  return mean(
    nearest.map(({ best }, at) => best.filter(({ id }) => found[at]?.includes(id)).length / TOP),
  );
}

if (rows.length > 0) await main();
