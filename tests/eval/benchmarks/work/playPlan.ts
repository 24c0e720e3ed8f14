import type { GoldCall } from "../../../../eval/benchmarks/benchmark.js";
import { answerText, fillArguments } from "../../../../plans/steps/fillArguments.js";
import type { Plan } from "../../../../plans/steps/plan.js";
import { definitionHash } from "../../../../tools/library/records/hash.js";
import { callArguments } from "../../../../tools/runtime/calls/callArguments.js";
import { loadCatalogFunction } from "../../../../tools/runtime/functions/catalogFunctions.js";
import { jsonResult } from "../../../../tools/runtime/calls/jsonResult.js";
import { validateArguments } from "../../../../tools/runtime/calls/validateArguments.js";
import type { WorldDefinition } from "../../../../tools/runtime/worlds/worlds.js";
import type { ToolDefinition } from "../../../../tools/tool.js";

/** The outcome of a plan that is run step by step over a fresh world. */
export interface Played {
  /** The calls with the results of earlier ones in place of references. */
  calls: GoldCall[];
  outputs: unknown[];
  /** The plan's answer with references filled in. */
  answer: string;
  /** The change of the world, as JSON. */
  change: unknown;
}

/**
 * Runs a plan as a run does: each call checked against the tool's schema, on a copy of the world that is
 * saved and loaded between calls, its result turned into JSON.
 *
 * @throws Error where a tool is missing or fails, arguments are refused or a reference leads nowhere
 */
export async function playPlan(options: {
  plan: Plan;
  tools: ReadonlyMap<string, ToolDefinition>;
  definition: WorldDefinition;
}): Promise<Played> {
  const { plan, tools, definition } = options;
  let saved = asJson(definition.save(definition.create()));
  const calls: GoldCall[] = [];
  const outputs: unknown[] = [];
  for (const [step, { tool, args: written }] of plan.steps.entries()) {
    const args = orThrow(fillArguments(step, written, outputs));
    const world = definition.load(saved);
    outputs.push(await callTool({ tool, args, tools, world }));
    saved = asJson(definition.save(world));
    calls.push({ tool, args });
  }
  const world = definition.load(saved);
  const change = asJson(definition.change ? definition.change(world) : definition.save(world));
  return { calls, outputs, answer: orThrow(answerText(plan.answer, outputs)), change };
}

async function callTool(options: {
  tool: string;
  args: Record<string, unknown>;
  tools: ReadonlyMap<string, ToolDefinition>;
  world: unknown;
}): Promise<unknown> {
  const { tool, args, tools, world } = options;
  const definition = tools.get(tool);
  if (definition?.source.kind !== "function") throw new Error(`no tool ${tool}`);
  const record = { ...definition, version: 1, hash: definitionHash(definition) };
  const check = validateArguments({ record, args });
  if (!check.ok) throw new Error(`${tool}: ${check.problem}`);
  const { exportName, takesContext } = definition.source;
  const call = await loadCatalogFunction("work", exportName);
  const context = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const given = callArguments({ record, args: check.args });
  return asJson(await call(...given, ...(takesContext ? [context] : [])));
}

function orThrow<Filled>(filled: Filled | undefined): Filled {
  if (filled === undefined) throw new Error("a reference leads to nothing");
  return filled;
}

function asJson(value: unknown): unknown {
  return JSON.parse(jsonResult(value) ?? "null");
}
