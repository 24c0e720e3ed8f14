import type { Task } from "../../../../eval/benchmarks/benchmark.js";
import { definitionHash } from "../../../../tools/library/records/hash.js";
import { callArguments } from "../../../../tools/calls/engine/callArguments.js";
import { loadCatalogFunction } from "../../../../tools/calls/functions/catalogFunctions.js";
import { jsonResult } from "../../../../tools/calls/engine/jsonResult.js";
import { validateArguments } from "../../../../tools/calls/engine/validateArguments.js";
import type { ToolDefinition } from "../../../../tools/tool.js";

/**
 * The results of a task's gold calls, each made as a run makes it: checked against the tool's schema,
 * called by the order of the signature, its result turned into JSON.
 *
 * @throws Error where a tool is missing or refuses its arguments
 */
export async function replay(
  task: Task,
  tools: ReadonlyMap<string, ToolDefinition>,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for (const { tool, args } of task.calls ?? []) {
    const definition = tools.get(tool);
    if (definition?.source.kind !== "function") throw new Error(`${task.id}: no tool ${tool}`);
    const record = { ...definition, version: 1, hash: definitionHash(definition) };
    const check = validateArguments({ record, args });
    if (!check.ok) throw new Error(`${task.id}: ${tool}: ${check.problem}`);
    const call = await loadCatalogFunction("math", definition.source.exportName);
    const result = await call(...callArguments({ record, args: check.args }));
    results.push(JSON.parse(jsonResult(result) ?? "null"));
  }
  return results;
}
