import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { LONG_WORK, type LongWork } from "../../common/longWork.js";
import { cachedEmbeddings, type CachedEmbeddings } from "../../models/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { defaultHome } from "../../workspace/home.js";
import { BENCHMARKS } from "../benchmarks/index.js";
import { quantile } from "../statistics/descriptive.js";

type Option = string | number | boolean | undefined;

/** The type of an option: that of its default, or text if it has none. */
type Given<Default extends Option> = Default extends string
  ? string
  : Default extends number
    ? number
    : Default extends boolean
      ? boolean
      : string | undefined;

/** The options of the script, or their defaults. */
export function optionsOf<Defaults extends Record<string, Option>>(
  defaults: Defaults,
): { [Name in keyof Defaults]: Given<Defaults[Name]> } {
  const kinds = Object.entries(defaults).map(([name, value]) => {
    const type = typeof value === "boolean" ? ("boolean" as const) : ("string" as const);
    return [name, { type }] as const;
  });
  const { values } = parseArgs({ options: Object.fromEntries(kinds) });
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof defaults[name] === "number" ? Number(value) : value,
  ]);
  return { ...defaults, ...Object.fromEntries(given) } as {
    [Name in keyof Defaults]: Given<Defaults[Name]>;
  };
}

/** Default folder of benchmark data. */
export const BENCH = "../shared/bench";

/** Those sets of a list that exist: shipped benchmarks, and folders of benchmark data. */
export function presentSets({ bench, sets }: { bench: string; sets: string }): string[] {
  const wanted = sets
    .split(",")
    .map((set) => (Object.hasOwn(BENCHMARKS, set) ? set : join(bench, set)));
  const present = wanted.filter((set) => Object.hasOwn(BENCHMARKS, set) || existsSync(set));
  for (const set of wanted) if (!present.includes(set)) write(`${set} is not there: skipped`);
  return present;
}

/** At most `most` items, spread evenly over all. */
export function spreadOver<Item>(items: readonly Item[], most: number): Item[] {
  if (items.length <= most) return [...items];
  return Array.from(
    { length: most },
    (_, at) => items[Math.floor((at * items.length) / most)],
  ).filter((item) => item !== undefined);
}

/** Does work with an embedding model whose vectors are cached in the home. */
export async function withEmbeddings<Result>(
  model: string,
  work: (embeddings: CachedEmbeddings) => Promise<Result>,
): Promise<Result> {
  subscribe(LONG_WORK, showLongWork);
  const opened = await openEmbeddings(model);
  const embeddings = cachedEmbeddings({
    embeddings: opened,
    model: opened.name,
    file: join(defaultHome(), "embeddings.db"),
  });
  try {
    return await work(embeddings);
  } finally {
    embeddings.close();
    unsubscribe(LONG_WORK, showLongWork);
  }
}

function showLongWork(message: unknown): void {
  const { label, done, total } = message as LongWork;
  process.stderr.write(`${label}: ${done}/${total}\n`);
}

/** The tool runtime from a folder with compiled code, or from the sources if none is named. */
export async function runtimeModule(compiled: string | undefined) {
  const file =
    compiled === undefined
      ? new URL("../../tools/runtime/runtime.ts", import.meta.url)
      : pathToFileURL(join(compiled, "tools/runtime/runtime.js"));
  return (await import(file.href)) as typeof import("../../tools/runtime/runtime.js");
}

/** The lines of a JSONL file; none if there is no such file. */
export function readLines<Line>(file: string): Line[] {
  if (!existsSync(file)) {
    process.stderr.write(`${file} is absent: skipped\n`);
    return [];
  }
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

/** Of two vectors. */
export function cosine(one: readonly number[] = [], other: readonly number[] = []): number {
  const product = one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
  return product / (Math.hypot(...one) * Math.hypot(...other));
}

/** Prints a line. */
export function write(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Prints a row of a table in Markdown. */
export function writeRow(cells: readonly (string | number | undefined)[]): void {
  write(`| ${cells.join(" | ")} |`);
}

/** Prints the head of a table in Markdown. */
export function writeHead(columns: readonly string[]): void {
  writeRow(columns);
  writeRow(columns.map(() => "---"));
}

/** A share in the style of retrieval tables: without the leading zero, "-" if there is none. */
export function shareText(share: number, digits = 3): string {
  return Number.isNaN(share) ? "-" : share.toFixed(digits).replace(/^(-?)0/, "$1");
}

/** Quantiles of times, in columns of equal width. */
export function quantilesText(times: readonly number[], shares: readonly number[]): string {
  return shares.map((share) => quantile(times, share).toFixed(2).padStart(8)).join("");
}

/** Wall time of work in milliseconds. */
export async function msOf(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await work();
  return performance.now() - since;
}
