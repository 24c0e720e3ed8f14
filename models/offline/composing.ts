import { codeText } from "../../plans/codeText.js";
import type { Plan, PlanStep } from "../../plans/plan.js";
import { planText, solutionText } from "../../plans/solutionText.js";
import { writeReference } from "../../plans/references.js";
import type { ComposeInput } from "../../nodes/planning/compose.js";
import type { ReflectInput } from "../../nodes/planning/reflect.js";
import { answerOf, finalResults } from "./answer.js";
import { type Draft, draftPlan } from "./composeDraft.js";
import { leftOut } from "./leftOut.js";
import type { StepState } from "./follow.js";
import type { Reply } from "./message.js";

/** A program that calls nothing; no text at all would be no reply. */
const NO_CODE = "// None of the tools does this.";

/**
 * A whole plan in the form asked for. A plan that was found wrong ends before the first call that was:
 * what is decided by rules alone would only be said again.
 */
export async function replyToCompose(input: ComposeInput): Promise<Reply> {
  const { style } = input;
  if (style === "typed") return { text: planText(await typedPlan(input)) };
  const { calls: drafted } = await draftOf(input);
  const calls = drafted.map(({ call }) => call);
  if (style === "code") return { text: codeText({ steps: calls }) || NO_CODE };
  return { text: solutionText({ steps: calls }) };
}

/** What a plan is made from, in whatever form it is wanted. */
type PlanQuestion = Pick<ComposeInput, "request" | "tools" | "failed" | "searched">;

function draftOf(input: PlanQuestion): Promise<Draft> {
  const { failed } = input;
  return draftPlan({ input, most: failed ? soundCalls(failed.problems) : Infinity });
}

/** A verdict by what was found wrong alone, and that as the cue. */
export async function replyToReflect({ problems }: ReflectInput): Promise<Reply> {
  const cue = problems.join(" ");
  return { text: JSON.stringify({ accepted: problems.length === 0, cue }) };
}

/**
 * How many calls of a plan stand before the first one that something is wrong with. Where only the answer
 * is wrong, that is all of them; what is wrong with the plan as a whole, none of them mends.
 */
function soundCalls(problems: readonly string[]): number {
  const positions = problems.map((problem) => {
    const [, step] = /^step (\d+)\b/.exec(problem) ?? [];
    if (step !== undefined) return Number(step);
    // A program has a call a line, and lines are counted from 1.
    const [, line] = /^line (\d+)\b/.exec(problem) ?? [];
    if (line !== undefined) return Number(line) - 1;
    return problem.startsWith("answer:") ? Infinity : 0;
  });
  return Math.min(...positions);
}

/**
 * A step for which tools were searched and found, and none of them fits, leaves the plan after the calls
 * that are certain, and so does what no call has taken up: whoever goes on from there says what could not be
 * done, and why.
 */
export async function typedPlan(input: PlanQuestion): Promise<Plan> {
  const { request, tools, failed, searched = [] } = input;
  const draft = await draftOf(input);
  const lacking = [...new Set(draft.lacking)];
  const isFutile = (phrase: string) => searched.includes(phrase);
  const calls = draft.calls.map(({ call }) => call);
  const unused = leftOut({ request, steps: draft.steps, tools, calls });
  // What could not be done, and has no words to search by, is no solution either.
  const isGivenUp =
    draft.failed.length > 0 && !lacking.some((phrase) => /[\p{L}\p{N}]/u.test(phrase));
  // A plan that is only to be completed by what was found had no fault.
  const isFaulty = (failed?.problems.length ?? 0) > 0 || lacking.some(isFutile);
  const isLeft = draft.isOpen || isFaulty || isGivenUp || unused.length > 0;
  return {
    steps: isLeft ? lastLookedAt(draft.calls) : calls,
    answer: isLeft ? "" : answerOfDraft(draft),
    lacking: isGivenUp ? [] : lacking.filter((phrase) => !isFutile(phrase)),
  };
}

/** What comes behind the calls is decided by what the last one gives. */
function lastLookedAt(calls: Draft["calls"]): PlanStep[] {
  return calls.map(({ call }, at) =>
    at === calls.length - 1 ? { ...call, lookAtResult: true } : call,
  );
}

/** The answer as it would be given of results, with references in place of them. */
function answerOfDraft({ steps, calls, failed }: Draft): string {
  const states = steps.map((_, of): StepState => {
    const at = calls.findIndex((one) => one.of === of);
    const call = calls[at]?.call;
    if (!call) return { state: "waiting" };
    const result = writeReference({ $prev: at, path: [] });
    return { state: "done", result, tool: call.tool };
  });
  return answerOf({
    failed: failed.map(
      ({ of, reason }) => `step ${of + 1} (${steps[of]}) could not be done: ${reason}`,
    ),
    missed: [],
    results: finalResults({ steps, states, partial: true }),
  }).message;
}
