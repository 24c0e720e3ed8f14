import { fillArguments } from "../../plans/fillArguments.js";
import { referencesIn } from "../../plans/references.js";
import { stepsInOrder } from "../../plans/stepsInOrder.js";
import { ARGUMENT_RULES } from "../scorers/argumentRules.js";
import type { GoldPlan } from "./goldTask.js";

/** A call that was made, by the id of its tool. */
interface MadeCall {
  tool: string;
  args: Record<string, unknown>;
  result?: unknown;
  error?: string;
}

/** How far a gold plan has been followed by the calls of a run. */
export interface Followed {
  /** Results of the steps that were called as they are in the plan, by position. */
  outputs: Record<number, unknown>;
  /** Positions of steps whose calls have failed. */
  failed: Set<number>;
}

/**
 * Finds the calls of the plan among those that were made, with the results of the steps before filled into
 * the arguments. Each step wants a call of its own, unless it only reads: the same reading twice is
 * as good as once. Other calls in between do not matter.
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
      // A tool that gives nothing has been called all the same.
      outputs[step] = done[1].result ?? null;
    } else if (alike.length > 0) failed.add(step);
  }
  return { outputs, failed };
}

/** How plans and programs write what is no text into one: a list as JSON, or its items one after the other. */
const IN_TEXTS = [JSON.stringify, String];

/** Whether every step of the plan has been called. */
export function isDone({ plan }: Pick<GoldPlan, "plan">, { outputs }: Followed): boolean {
  return plan.steps.every((_step, at) => Object.hasOwn(outputs, at));
}

/** A step that can be called now, its arguments filled in. */
interface ReadyStep {
  step: number;
  tool: string;
  args: Record<string, unknown>;
}

/**
 * The steps of the next wave of the plan that can be called: those of tools on offer whose references
 * are known. A step that cannot be called, or that has failed, holds up only those that use its result.
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

/** Positions of steps that are open and will not be held up by one that cannot be called. */
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
