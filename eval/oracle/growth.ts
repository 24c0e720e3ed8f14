import type { ToolDefinition } from "../../tools/tool.js";
import { wireNames } from "../../tools/runtime/wireNames.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { catalogueTools } from "../benchmarks/catalogueTools.js";
import { declarationsOf } from "../runs/declarationsOf.js";
import { drawOrder } from "./draw.js";
import type { Subject } from "./subject.js";

/**
 * A benchmark whose library is filled up with tools of another set. Tools with the name of one of its own are
 * not added: they would be duplicates. A larger library contains the tools of a smaller one.
 *
 * @param options.tools size of the library; its own tools are always in it
 * @param options.folder where tools without a catalogue are declared
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
  // Functions of the catalogue replace declarations of its own tools.
  const declared = [...benchmark.tools.filter(isDeclared), ...added];
  if (declared.length === 0) return { ...benchmark, tools };
  const file = declarationsOf({ benchmark: { name: "tools", tools: declared }, home: folder });
  return { ...benchmark, tools, ...(file === undefined ? {} : { toolsFile: file }) };
}

/**
 * The tools that are always in the library. A catalogue may have more tools than its benchmark; they are
 * included if the library has room for all of them, so that none has to be hidden from a run.
 */
async function ownTools({ benchmark, catalogue }: Subject, count: number) {
  const all = catalogue === undefined ? [] : await catalogueTools(catalogue);
  const own = new Set(benchmark.tools.map(({ id }) => id));
  const more = all.filter(({ id }) => !own.has(id));
  return own.size + more.length <= count ? [...benchmark.tools, ...more] : benchmark.tools;
}

function plainName(name: string): string {
  const tool = { id: name, name };
  return (wireNames({ tools: [tool] }).byId.get(name) ?? name).toLowerCase();
}

function isDeclared({ source }: ToolDefinition): boolean {
  return source.kind === "declared";
}
