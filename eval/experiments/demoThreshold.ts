/**
 * The best threshold (Δ) for the cosine between a task and a demonstration. Each task of a set takes all others as its
 * demonstrations (leave one out), and at most k of those above Δ are shown. A demonstration is useful if it shows
 * tools that the task needs.
 *
 *   npx tsx eval/experiments/demoThreshold.ts [--bench ../shared/bench] [--count 2] [--embeddings provider:name]
 *
 * Without `--bench`, only the benchmark `work` is measured. Tasks made from one template are also measured without
 * one another.
 */
import { workBenchmark } from "../benchmarks/work/index.js";
import { readRequestFolder } from "../retrieval/labelledRequests.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { cosine, optionsOf, presentSets, write, writeHead, writeRow } from "./scriptSupport.js";

const SETS = "workbench,apibank,nestful_v1,restbench,tulip_math";

/** -1 shows the k nearest, however far away. */
const THRESHOLDS = [-1, 0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];

interface Task {
  query: string;
  /** Ids of the tools that it needs; empty if no tool can do anything. */
  tools: string[];
  template?: string;
}

/** A task with its possible demonstrations. */
interface Question {
  needed: ReadonlySet<string>;
  /** All other tasks with tools, the most similar first. */
  others: { tools: ReadonlySet<string>; cosine: number }[];
}

const { bench, count, embeddings } = optionsOf({
  bench: undefined,
  count: 2,
  embeddings: LOCAL_EMBEDDINGS,
});

async function main(): Promise<void> {
  await measure("work", (await workBenchmark()).tasks);
  if (bench === undefined) return;
  for (const folder of presentSets({ bench, sets: SETS })) {
    const { name, requests } = await readRequestFolder(folder);
    await measure(name, requests);
  }
}

async function measure(set: string, tasks: readonly Task[]): Promise<void> {
  const model = await openEmbeddings(embeddings);
  const vectors = await model.embedDocuments(tasks.map(({ query }) => query));
  const questions = (isFair: (one: Task, other: Task) => boolean) =>
    tasks.map((task, at) => question({ task, at, tasks, vectors, isFair }));
  const anyOther = questions(() => true);
  printTable(set, anyOther);
  if (tasks.every(({ template }) => template == null)) return;
  const others = questions((one, other) => one.template !== other.template);
  printTable(`${set}, other templates`, others);
}

function question(options: {
  task: Task;
  at: number;
  tasks: readonly Task[];
  vectors: number[][];
  isFair: (one: Task, other: Task) => boolean;
}): Question {
  const { task, at, tasks, vectors, isFair } = options;
  const others = tasks.flatMap((other, position) =>
    position !== at && other.tools.length > 0 && isFair(task, other)
      ? [{ tools: new Set(other.tools), cosine: cosine(vectors[at], vectors[position]) }]
      : [],
  );
  return {
    needed: new Set(task.tools),
    others: others.toSorted((one, other) => other.cosine - one.cosine),
  };
}

function printTable(set: string, questions: readonly Question[]): void {
  const solvable = questions.filter(({ needed }) => needed.size > 0);
  const unsolvable = questions.filter(({ needed }) => needed.size === 0);
  const byChance = solvable.flatMap(({ needed, others }) =>
    others.map(({ tools }) => isUseful(tools, needed)),
  );
  write(
    `\n${set}: ${solvable.length} tasks with tools, ${unsolvable.length} without, k = ${count}`,
  );
  write(`a task by chance has a tool in common: ${share(byChance, Boolean).toFixed(2)}\n`);
  const shown = ["any shown", "one needed tool", "all needed tools", "useful"];
  writeHead(["Δ", ...shown, "any, no tool fits"]);
  for (const threshold of THRESHOLDS) {
    const isAnyShown = (one: Question) => shownAbove(one, threshold).length > 0;
    const cells = [
      share(solvable, isAnyShown),
      share(solvable, (one) => coverage(one, threshold) > 0),
      share(solvable, (one) => coverage(one, threshold) === 1),
      usefulShare(solvable, threshold),
      share(unsolvable, isAnyShown),
    ];
    writeRow([threshold, ...cells.map(cellText)]);
  }
}

function shownAbove({ others }: Question, threshold: number): Question["others"] {
  return others.filter(({ cosine }) => cosine > threshold).slice(0, count);
}

/** Share of the needed tools that are shown. */
function coverage(one: Question, threshold: number): number {
  const shown = shownAbove(one, threshold);
  return share([...one.needed], (tool) => shown.some(({ tools }) => tools.has(tool)));
}

/** Share of all shown demonstrations with a tool that their task needs. */
function usefulShare(questions: readonly Question[], threshold: number): number {
  const shown = questions.flatMap((one) =>
    shownAbove(one, threshold).map(({ tools }) => isUseful(tools, one.needed)),
  );
  return share(shown, Boolean);
}

function isUseful(tools: ReadonlySet<string>, needed: ReadonlySet<string>): boolean {
  return [...tools].some((tool) => needed.has(tool));
}

/** NaN of nothing. */
function share<Item>(items: readonly Item[], holds: (item: Item) => boolean): number {
  return items.filter(holds).length / items.length;
}

function cellText(part: number): string {
  return Number.isNaN(part) ? "-" : part.toFixed(2);
}

await main();
