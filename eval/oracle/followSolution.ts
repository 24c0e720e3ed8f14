import { fillArguments } from "../../plans/fillArguments.js";
import { referencesIn } from "../../plans/references.js";
import { stepsInOrder } from "./stepsInOrder.js";
import { ARGUMENT_RULES } from "../scorers/argumentRules.js";
import type { GoldPlan } from "./goldTask.js";

/** A call that was made, by the id of its tool. */
interface MadeCall {
  tool: string;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string;
}

/** How far the calls of a run have followed a gold plan. */
export interface Followed {
  /** Results of the steps that were called as planned, by position. */
  outputs: Record<number, unknown>;
  /** Positions of steps whose calls failed. */
  failed: Set<number>;
}

/**
 * Finds the calls of the plan among those that were made, with the results of earlier steps filled into the
 * arguments. Each step needs its own call, except for reads, where one call may serve several steps. Other
 * calls in between do not matter.
 */
export function follow({ plan, tools }: GoldPlan, made: readonly MadeCall[]): Followed {
  const outputs: Record<number, unknown> = {};
  const failed = new Set<number>();
  const used = new Set<number>();
  for (const [step, { tool, args }] of plan.steps.entries()) {
    const ways = IN_TEXTS.flatMap((inText) => {
      const filled = fillArguments({ step, args, outputs, inText });
      return "args" in filled ? [filled.args] : [];
    });
    const alike = [...made.entries()].filter(
      ([at, call]) =>
        !used.has(at) &&
        call.tool === tool &&
        ways.some((way) => ARGUMENT_RULES.equal(way, call.args)),
    );
    const done = alike.find(([, { error }]) => error === undefined);
    if (done) {
      if (tools.get(tool)?.effects !== "read") used.add(done[0]);
      // A tool that returns nothing was still called.
      outputs[step] = done[1].result ?? null;
    } else if (alike.length > 0) failed.add(step);
  }
  return { outputs, failed };
}

/** How plans and programs write a value into a text: a list as JSON, or as its items. */
const IN_TEXTS = [JSON.stringify, String];

/** Whether every step of the plan has been called. */
export function isDone({ plan }: Pick<GoldPlan, "plan">, { outputs }: Followed): boolean {
  return plan.steps.every((_step, at) => Object.hasOwn(outputs, at));
}

/** A step that can be called now, with its arguments filled in. */
interface ReadyStep {
  step: number;
  tool: string;
  args: Record<string, unknown>;
}

/**
 * The steps of the plan's next wave that can be called: their tools are on offer and their references are
 * known. A step that failed or cannot be called holds up only those that use its result.
 */
export function readySteps(options: {
  gold: GoldPlan;
  followed: Followed;
  isOffered: (tool: string) => boolean;
}): ReadyStep[] {
  const { gold, followed } = options;
  const { plan, tools } = gold;
  const { outputs } = followed;
  const possible = new Set(possibleSteps(options));
  const waves = stepsInOrder({ plan, tools: [...tools.values()] });
  const wave = waves.map((steps) => steps.filter((at) => possible.has(at))).find(isSome) ?? [];
  return wave.flatMap((step) => {
    const planned = plan.steps[step];
    const filled = planned && fillArguments({ step, args: planned.args, outputs });
    return filled && "args" in filled ? [{ step, tool: planned.tool, args: filled.args }] : [];
  });
}

/** Positions of open steps that do not depend on one that cannot be called. */
export function possibleSteps(options: {
  gold: Pick<GoldPlan, "plan">;
  followed: Followed;
  isOffered: (tool: string) => boolean;
}): number[] {
  const { gold, followed, isOffered } = options;
  const { outputs, failed } = followed;
  const possible = new Set<number>();
  for (const [at, { tool, args }] of gold.plan.steps.entries()) {
    if (Object.hasOwn(outputs, at) || failed.has(at) || !isOffered(tool)) continue;
    const needed = referencesIn(args).map(({ $prev }) => $prev);
    if (needed.every((one) => Object.hasOwn(outputs, one) || possible.has(one))) possible.add(at);
  }
  return [...possible];
}

function isSome(steps: readonly number[]): boolean {
  return steps.length > 0;
}
