import { readProgram } from "../../../../plans/language/readProgram.js";
import type { Outcome, PlannedCall } from "../../../../plans/language/progress.js";
import { interpretProgram } from "../../../../plans/language/run/interpretProgram.js";
import { TODAY } from "../../../../tools/catalogs/work/clock.js";
import { shippedWorld } from "../../../../tools/catalogs/work/world.js";
import { callArguments } from "../../../../tools/calls/engine/callArguments.js";
import { loadCatalogFunction } from "../../../../tools/calls/functions/catalogFunctions.js";
import { jsonResult } from "../../../../tools/calls/engine/jsonResult.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import type { GoldCall } from "../../../../eval/benchmarks/benchmark.js";

/** What a gold program does over the seeded world. */
export interface Played {
  /** In order: the gold calls for graphs that write no programs. */
  calls: GoldCall[];
  results: unknown[];
  answer: string;
  change: unknown;
}

/** @throws Error if the program does not reach its end */
export async function playProgram(options: {
  program: string;
  tools: readonly ToolDefinition[];
}): Promise<Played> {
  const read = readProgram(options.program, { isCode: true });
  if ("issues" in read) throw new Error(read.issues.map(({ problem }) => problem).join("; "));
  const definitions = new Map(options.tools.map((tool) => [tool.id, tool]));
  const tools = [...definitions.values()].map(({ id, effects }) => ({ name: id, id, effects }));
  const world = shippedWorld.create();
  const outcomes = new Map<string, Outcome>();
  const calls: GoldCall[] = [];
  const results: unknown[] = [];
  for (;;) {
    const inputs = { outcomes, looks: new Map<string, string>(), today: TODAY, tools };
    const progress = interpretProgram(read.program, inputs);
    if (progress.end)
      return { calls, results, answer: progress.end.text, change: shippedWorld.save(world) };
    if (progress.calls.length === 0) {
      throw new Error(`the program stops: ${progress.fault?.problem ?? "it asks for more"}`);
    }
    for (const call of progress.calls) {
      const result = await resultOf(call, definitions, world);
      outcomes.set(call.place, { result });
      results.push(result);
      calls.push({ tool: call.tool.id, args: call.args });
    }
  }
}

async function resultOf(
  call: PlannedCall,
  definitions: ReadonlyMap<string, ToolDefinition>,
  world: unknown,
): Promise<unknown> {
  const tool = definitions.get(call.tool.id);
  if (tool?.source.kind !== "function") throw new Error(`${call.tool.id} has no function`);
  const { exportName, takesContext } = tool.source;
  const run = await loadCatalogFunction("work", exportName);
  const context = {
    world,
    signal: new AbortController().signal,
    threadId: "gold",
    callId: call.place,
    callTool: () => Promise.reject(new Error("no tool of this catalog calls another")),
  };
  const given = callArguments({ record: tool, args: call.args });
  const result = await run(...given, ...(takesContext ? [context] : []));
  return JSON.parse(jsonResult(result) ?? "null");
}
