import { answerText } from "../../../plans/answerText.js";
import { fillArguments } from "../../../plans/fillArguments.js";
import type { Plan } from "../../../plans/plan.js";
import { partsOf, referencesIn } from "../../../plans/references.js";
import { writtenValue } from "../../../plans/solutionText.js";
import type { GeneratedPair } from "../generationState.js";
import type { GenerationTools } from "./generationTools.js";

/** What came of trying a plan out, or in a few words why it is no good. */
export type Tried = Pick<GeneratedPair, "calls" | "answer"> | { reason: string };

/** Why a plan with a tool that does not end in time is no good; other values would take as long. */
export const TOO_SLOW = "with a call that takes too long";

/** Longer results, in characters of JSON, would fill a demonstration that is shown to a model. */
const LONGEST_RESULT = 4000;

/**
 * Runs a plan in a trial of its own, so that nothing is left of it. Good is one whose calls all succeed, and in which
 * everything that is referred to is there and not empty. One with a tool that nobody can run is left as it is.
 */
export async function tryPlan(
  plan: Pick<Plan, "steps" | "answer">,
  { tools, openTrial }: Pick<GenerationTools, "tools" | "openTrial">,
): Promise<Tried> {
  const trial = await openTrial();
  const records = plan.steps.map(({ tool }) => tools.get(tool));
  if (records.some((record) => !record || !trial.canRun(record))) return { calls: unrun(plan) };
  const outputs: Record<number, unknown> = {};
  const calls: GeneratedPair["calls"] = [];
  for (const [step, { args: written }] of plan.steps.entries()) {
    const record = records[step];
    const filled = fillArguments({ step, args: written, outputs });
    if ("issue" in filled || !record) return { reason: "with a reference to nothing" };
    const { args } = filled;
    const outcome = await trial.call({ id: `step ${step}`, tool: record, args });
    const { result } = outcome;
    if (outcome.status === "timeout") return { reason: TOO_SLOW };
    if (outcome.status !== "done") return { reason: "with a call that fails" };
    if (JSON.stringify(result ?? null).length > LONGEST_RESULT || outcome.resultRef !== undefined) {
      return { reason: "with a result that is too long" };
    }
    if (isUsed(plan, step) && isEmpty(result)) return { reason: "with an empty result" };
    outputs[step] = result;
    calls.push({ tool: record.id, args, ...(result === undefined ? {} : { result }) });
  }
  const answer = answerText({ plan, outputs });
  return "issue" in answer
    ? { reason: "with a reference to nothing" }
    : { calls, answer: answer.text };
}

/** Calls whose references cannot be filled in, written as references. */
function unrun({ steps }: Pick<Plan, "steps">): GeneratedPair["calls"] {
  return steps.map(({ tool, args }) => ({
    tool,
    args: Object.fromEntries(
      Object.entries(args).map(([name, value]) => [name, writtenValue(value)]),
    ),
  }));
}

/** Whether a later step or the answer refers to the output of a step. */
function isUsed({ steps, answer }: Pick<Plan, "steps" | "answer">, step: number): boolean {
  const said = partsOf(answer).filter((part) => typeof part !== "string");
  const references = [...steps.flatMap(({ args }) => referencesIn(args)), ...said];
  return references.some(({ $prev }) => $prev === step);
}

function isEmpty(result: unknown): boolean {
  if (result === undefined || result === null || result === "") return true;
  return Array.isArray(result) && result.length === 0;
}
