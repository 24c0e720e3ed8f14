import { isCountable } from "./amounts.js";
import type { StepState } from "./follow.js";
import { readGiven } from "./given.js";
import { withoutAsking } from "./phrases.js";
import { readMentions } from "./quantities.js";

/** Arguments of the `stop` tool. */
export interface FinalAnswer {
  message: string;
  solved: boolean;
}

/**
 * The answer once nothing is left to call: the final results, or what could not be done and why.
 *
 * @param options.partial whether to include results that only undone steps would have used
 * @param options.unused parts of the request that no call used: if there are any, the request is not solved
 */
export function answerFrom(options: {
  steps: readonly string[];
  states: readonly StepState[];
  missed: readonly string[];
  partial: boolean;
  unused: readonly string[];
}): FinalAnswer {
  const { steps, states, missed, partial, unused } = options;
  const failed = states.flatMap((state, at) => {
    const reason = failureOf({ state, step: steps[at] ?? "" });
    return reason ? [`step ${at + 1} (${steps[at]}) could not be done: ${reason}`] : [];
  });
  const answer = answerOf({ failed, missed, results: finalResults({ steps, states, partial }) });
  if (!answer.solved || unused.length === 0) return answer;
  const message = `${answer.message} Nothing was done with: ${unused.join("; ")}.`;
  return { message, solved: false };
}

/** Like {@link answerFrom}, from results and failures in words. */
export function answerOf(options: {
  failed: readonly string[];
  missed: readonly string[];
  results: readonly NamedResult[];
}): FinalAnswer {
  const { failed, missed, results } = options;
  if (failed.length === 0 && results.length > 0)
    return { message: sentence(results), solved: true };
  const soFar = results.length > 0 ? [`So far: ${sentence(results)}`] : [];
  const without = missed.length > 0 ? [`No tool was found for: ${missed.join("; ")}`] : [];
  const all = [...failed, ...without, ...soFar].map((part) => part.replace(/\.?$/, "."));
  return { message: all.join(" ") || "There is nothing to do in this request.", solved: false };
}

/** Why a step has no usable result; undefined if it has one or is not done yet. */
export function failureOf({ state, step }: { state: StepState; step: string }): string | undefined {
  if (state.state === "failed") return state.reason;
  if (state.state !== "done" || isCountable({ step, result: state.result })) return undefined;
  return `${resultText(state.result)} is no whole number, and whether to round it is not said`;
}

/** A result in words; the name says what it is. */
export interface NamedResult {
  name: string;
  value: string;
}

/**
 * Results that no later step used: they are what was asked for.
 *
 * @param options.partial whether to include results that only undone steps would have used
 */
export function finalResults(options: {
  steps: readonly string[];
  states: readonly StepState[];
  partial: boolean;
}): NamedResult[] {
  const { steps, states, partial } = options;
  const using = steps.filter((_, at) => !partial || states[at]?.state === "done");
  const used = new Set(
    using.flatMap((step) =>
      readMentions(step)
        .filter(({ kind }) => kind === "reference")
        .map(({ value }) => value),
    ),
  );
  return states.flatMap((state, at) =>
    state.state === "done" && !used.has(at + 1)
      ? [{ name: nameOf(steps[at] ?? ""), value: resultText(state.result) }]
      : [],
  );
}

/** Results in one sentence. */
export function sentence(results: readonly NamedResult[]): string {
  const [only, ...more] = results;
  if (only && more.length === 0) return `The result is ${only.value}.`;
  return `${results.map(({ name, value }) => `${name}: ${value}`).join("; ")}.`;
}

/** A name for a step without its values, so that the only numbers in an answer are results. */
export function nameOf(step: string): string {
  return (
    withoutAsking(readGiven(step).asked)
      .split(/\s(?:with|of the result|where|by|to)\s|\d/)[0]
      ?.trim() || "result"
  );
}

/** A result as an answer shows it. */
export function resultText(result: unknown): string {
  return typeof result === "string" ? result : (JSON.stringify(result) ?? "done");
}
