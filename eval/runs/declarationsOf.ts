import { join } from "node:path";
import type { ToolDefinition } from "../../tools/tool.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import { writeWhole } from "../files.js";

/**
 * The file that declares the tools of a benchmark: its own, or one written into the home for a generated
 * benchmark whose tools have no functions. Undefined for tools of a catalog,
 * and if there are none.
 */
export function declarationsOf(options: {
  benchmark: Pick<Benchmark, "name" | "tools" | "toolsFile">;
  home: string;
}): string | undefined {
  const { benchmark, home } = options;
  const { name, tools, toolsFile } = benchmark;
  if (toolsFile !== undefined) return toolsFile;
  if (tools.length === 0 || !tools.every(({ source }) => source.kind === "declared"))
    return undefined;
  const file = join(home, `${name}.jsonl`);
  const lines = tools.map((tool) => `${JSON.stringify(declarationOf(tool))}\n`);
  writeWhole(file, lines.join(""));
  return file;
}

/** A tool as a line of the file (tools/sources/readDeclarations.ts). */
function declarationOf({ source, ...tool }: ToolDefinition) {
  const { id, name, description, parameters, returns, cost, timeoutMs, effects } = tool;
  const world = source.kind === "declared" ? source.world : undefined;
  return { id, name, description, parameters, returns, cost, timeoutMs, effects, world };
}
