import { resolve } from "node:path";
import { packageRoot } from "../../storage/packageRoot.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { readSource } from "../../tools/sources/index.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { wireNames } from "../../tools/runtime/wireNames.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { declarationsOf } from "../runs/declarationsOf.js";
import { drawOrder } from "./draw.js";
import type { Subject } from "./subject.js";

/**
 * A benchmark whose library is filled up with tools of another set. Tools that bear the name of one of its
 * own are not taken: they would be its own once more. The tools of a smaller library are those of a larger
 * one, too.
 *
 * @param options.tools how many tools the library is to have; its own are always there
 * @param options.folder where those tools are declared that belong to no catalogue
 */
export async function withOthers(options: {
  subject: Subject;
  others: readonly ToolDefinition[];
  tools: number;
  seed: number;
  folder: string;
}): Promise<Benchmark> {
  const { subject, others, tools: count, seed, folder } = options;
  const { benchmark, catalogue } = subject;
  const own = await ownTools(subject, count);
  const taken = new Set(own.flatMap(({ id, name }) => [id, plainName(name)]));
  const free = others.filter(({ id, name }) => !taken.has(id) && !taken.has(plainName(name)));
  const order = drawOrder(free, { seed, purpose: `others of ${benchmark.name}` });
  const added = order.slice(0, Math.max(0, count - own.length));
  const tools = [...own, ...added];
  if (catalogue === undefined) return { ...benchmark, tools };
  // Its own tools have functions, which take the place of declarations.
  const declared = [...benchmark.tools.filter(isDeclared), ...added];
  if (declared.length === 0) return { ...benchmark, tools };
  const file = declarationsOf({ benchmark: { name: "tools", tools: declared }, home: folder });
  return { ...benchmark, tools, ...(file === undefined ? {} : { toolsFile: file }) };
}

/**
 * The tools that are in the library in any case. A catalogue may have more than its benchmark: in a library
 * that has room for all of them, none has to be kept from a run.
 */
async function ownTools({ benchmark, catalogue }: Subject, count: number) {
  const all = catalogue === undefined ? [] : await catalogueTools(catalogue);
  const own = new Set(benchmark.tools.map(({ id }) => id));
  const more = all.filter(({ id }) => !own.has(id));
  return own.size + more.length <= count ? [...benchmark.tools, ...more] : benchmark.tools;
}

/** The tools of a catalogue, as they are read from its source; none where there is no such catalogue. */
export async function catalogueTools(catalog: string): Promise<ToolDefinition[]> {
  const entry = CATALOGS[catalog];
  if (!entry) return [];
  const { tools } = await readSource({ file: resolve(packageRoot(), entry.file), catalog });
  return tools;
}

function plainName(name: string): string {
  const tool = { id: name, name };
  return (wireNames({ tools: [tool] }).byId.get(name) ?? name).toLowerCase();
}

function isDeclared({ source }: ToolDefinition): boolean {
  return source.kind === "declared";
}
