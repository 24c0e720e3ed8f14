import { isDeepStrictEqual } from "node:util";
import type { Observation, OfferedTool } from "../../nodes/kit/stageInputs.js";
import type { PlanStep, PlanValue } from "../../plans/steps/plan.js";
import { isReference } from "../../plans/steps/references.js";
import { ANY } from "../../plans/steps/schemaTypes.js";
import type { PlannedCall } from "../prompt.js";
import { callFor } from "./calls.js";
import type { Step } from "./requests.js";
import { Refusal } from "./texts.js";

/**
 * The calls of all steps, so that nothing is done by halves, or a phrase to search for a tool that is lacking.
 *
 * @param options.searched what was searched for; absent if nothing can be
 * @param options.earlier how many results come before the steps, which their references count
 * @throws Refusal if a step has no call, and searching is no use
 */
export function planSteps(options: {
  steps: readonly Step[];
  tools: readonly OfferedTool[];
  searched?: readonly string[];
  earlier?: number;
}): PlanStep[] | string {
  const { steps, tools, searched, earlier = 0 } = options;
  const results = Array.from({ length: earlier }, () => ANY);
  const calls: PlanStep[] = [];
  for (const step of steps) {
    const call = callFor(step, tools, results);
    if (call instanceof Refusal) {
      if (!searched || step.phrase === "" || searched.includes(step.phrase)) throw call;
      return step.phrase;
    }
    calls.push(call);
    const { returns } = tools.find(({ name }) => name === call.tool) ?? {};
    results.push(returns ? { schema: returns, root: returns } : ANY);
  }
  return calls;
}

/**
 * What is said of the values of steps: of those that no later step uses, which were asked for.
 *
 * @param isPart another task uses the bare value
 */
export function answerOf(
  steps: readonly Pick<Step, "text" | "phrase">[],
  values: readonly string[],
  isPart = false,
): string {
  const asked = steps
    .map(({ phrase }, at) => ({ at, name: phrase, value: values[at] ?? "" }))
    .filter(({ at }) => !steps.slice(at + 1).some(({ text }) => usesResult(text, at)));
  const [only, ...others] = asked;
  if (only && others.length === 0) return isPart ? only.value : `The result is ${only.value}.`;
  return `${asked.map(({ name, value }) => `${name}: ${value}`).join("; ")}.`;
}

function usesResult(text: string, at: number): boolean {
  return new RegExp(`results? of step ${at + 1}\\b`, "i").test(text);
}

/**
 * How far planned calls have come: their results, and the call to make next or the error of the last one. Nothing is
 * remembered between visits: calls are looked up among the observations, so that a resumed or forked run continues
 * where it is.
 *
 * @param earlier results that come before the calls, which their references count
 */
export function followCalls(
  calls: readonly PlanStep[],
  observations: readonly Observation[],
  earlier: readonly unknown[],
): { results: unknown[]; next?: PlannedCall; error?: string } {
  const results = [...earlier];
  const unclaimed = [...observations];
  for (const { tool: name, args } of calls) {
    const known = (value: PlanValue) => (isReference(value) ? results[value.$prev] : value);
    const entries = Object.entries(args).map(([key, value]) => {
      return [key, Array.isArray(value) ? value.map(known) : known(value)] as const;
    });
    const next = { name, args: Object.fromEntries(entries) };
    const ofTool = unclaimed.filter(({ tool }) => tool === name);
    // A person may have changed the arguments.
    const seen = ofTool.find((one) => isDeepStrictEqual(one.args, next.args)) ?? ofTool[0];
    if (!seen) return { results, next };
    if (seen.error !== undefined) return { results, error: `${name}: ${seen.error}` };
    unclaimed.splice(unclaimed.indexOf(seen), 1);
    results.push(seen.result);
  }
  return { results };
}
