import { codeText, programText } from "../../plans/codeText.js";
import type { Plan, PlanStep } from "../../plans/plan.js";
import { partsOf, referencesIn, writeReference } from "../../plans/references.js";
import { planText, solutionText, writtenValue } from "../../plans/solutionText.js";
import type { ComposeInput } from "../../nodes/planning/compose.js";
import type { ComposeStepsInput } from "../../nodes/planning/composeSteps.js";
import type { ReflectInput } from "../../nodes/planning/reflect.js";
import type { OutlineInput } from "../../nodes/planning/writeOutline.js";
import type { WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { answerOf, finalResults } from "./answer.js";
import { type Draft, draftPlan } from "./composeDraft.js";
import { leftOut } from "./leftOut.js";
import { fillArguments } from "./fill.js";
import type { StepState } from "./follow.js";
import { futureResult, planValue } from "./futures.js";
import type { Reply } from "../prompt.js";
import { genericPhrase } from "./phrases.js";
import { type Sentence, fillRequestOf, readStep, sentencesOf } from "./stepChoices.js";

/** A program that calls nothing, because an empty text would not be a reply. */
const NO_CODE = "// None of the tools does this.";

/**
 * A whole plan in the requested form. After a faulty plan, the new one ends before the first faulty call, because the
 * rules would only write that again.
 */
export async function replyToCompose(input: ComposeInput): Promise<Reply> {
  const { style } = input;
  if (style === "typed") return { text: planText(await typedPlan(input)) };
  const { calls: drafted } = await draftOf(input);
  const calls = drafted.map(({ call }) => call);
  if (style === "code") return { text: codeText({ steps: calls }) || NO_CODE };
  return { text: solutionText({ steps: calls }) };
}

/** The plan as a program. */
export async function replyToWriteProgram(input: WriteProgramInput): Promise<Reply> {
  const searched = input.searched.map(({ phrase }) => phrase);
  const plan = await typedPlan({ ...input, searched });
  // A plan that depends on its results returns null, which is no answer, so it is left there.
  const end = plan.answer === "" ? "return null;" : "";
  const code = [programText(plan, { lacking: plan.lacking }), end].filter(Boolean);
  return { text: ["```ts", ...code, "```"].join("\n") };
}

/** A refusal: to judge what a value means takes a language model. */
export function replyToLook(): Reply {
  const text =
    "I cannot answer this: the offline planner does not judge what a value means. Choose a language model.";
  return { text, refusal: true };
}

/** What a plan of any form is made from. */
type PlanQuestion = Pick<ComposeInput, "request" | "tools" | "failed"> & { searched?: string[] };

function draftOf(input: PlanQuestion): Promise<Draft> {
  const { failed } = input;
  return draftPlan({ input, most: failed ? soundCalls(failed.problems) : Infinity });
}

/** Accepts a plan without problems; otherwise the problems are the cue. */
export async function replyToReflect({ problems }: ReflectInput): Promise<Reply> {
  const cue = problems.join(" ");
  return { text: JSON.stringify({ accepted: problems.length === 0, cue }) };
}

/**
 * The number of calls before the first faulty one: all if only the answer is wrong, none if the plan as a whole is.
 */
function soundCalls(problems: readonly string[]): number {
  const positions = problems.map((problem) => {
    const [, step] = /^step (\d+)\b/.exec(problem) ?? [];
    if (step !== undefined) return Number(step);
    // A program has one call per line, and lines count from 1.
    const [, line] = /^line (\d+)\b/.exec(problem) ?? [];
    if (line !== undefined) return Number(line) - 1;
    return problem.startsWith("answer:") ? Infinity : 0;
  });
  return Math.min(...positions);
}

/**
 * The plan ends after the calls that are certain if a step has no fitting tool even after a search, or if no call uses
 * some part of the request: whoever continues from there reports what could not be done, and why.
 */
export async function typedPlan(input: PlanQuestion): Promise<Plan & { lacking: string[] }> {
  const { request, tools, failed, searched = [] } = input;
  const draft = await draftOf(input);
  const lacking = [...new Set(draft.lacking)];
  const isFutile = (phrase: string) => searched.includes(phrase);
  const calls = draft.calls.map(({ call }) => call);
  const unused = leftOut({ request, steps: draft.steps, tools, calls });
  // A step that failed and leaves nothing to search for is given up.
  const isGivenUp =
    draft.failed.length > 0 && !lacking.some((phrase) => /[\p{L}\p{N}]/u.test(phrase));
  // A plan without problems only has to be completed with the tools found since.
  const isFaulty = (failed?.problems.length ?? 0) > 0 || lacking.some(isFutile);
  const isLeft = draft.isOpen || isFaulty || isGivenUp || unused.length > 0;
  return {
    steps: calls,
    answer: isLeft ? "" : answerOfDraft(draft),
    lacking: isGivenUp ? [] : lacking.filter((phrase) => !isFutile(phrase)),
  };
}

/** The answer with references in place of results. */
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

/** The calls of a plan as tasks in words, each with its tool; none if nothing can be planned. */
export async function replyToOutline(input: OutlineInput): Promise<Reply> {
  const draft = await draftPlan({ input, most: Infinity });
  const tasks = draft.calls.map(({ of, call }) => ({
    thought: `${call.tool} does what is asked for here: ${genericPhrase(draft.steps[of] ?? "")}`,
    tool_name: call.tool,
    task: withReferences({ of, call, draft }),
  }));
  return { text: JSON.stringify({ tasks }) };
}

/** The calls of the tasks. */
export async function replyToComposeSteps(input: ComposeStepsInput): Promise<Reply> {
  const { request, tasks, tools } = input;
  const sentences = sentencesOf(request);
  const calls = tasks.flatMap(({ tool: name, task }) => {
    const tool = tools.find((one) => one.name === name);
    return tool ? [callOf({ tool, task, sentences })] : [];
  });
  return { text: JSON.stringify({ calls }) };
}

function callOf(options: { tool: OfferedTool; task: string; sentences: Sentence[] }) {
  const { tool, task, sentences } = options;
  const { step, results } = withoutReferences(task);
  const asked = fillRequestOf({ ...readStep(step), sentences, results });
  const { args } = fillArguments({ tool, ...asked });
  const named = Object.entries(args).map(([argument_name, value]) => ({
    argument_name,
    argument_value: writtenValue(planValue(value)),
  }));
  return { tool_name: tool.name, arguments: named };
}

const RESULT = /\b(?:the )?results? of step (\d+)\b/gi;

/** A step of the request with its references to results written as in the call. */
function withReferences(options: { of: number; call: PlanStep; draft: Draft }): string {
  const { of, call, draft } = options;
  return (draft.steps[of] ?? "").replaceAll(RESULT, (said, number: string) => {
    const at = draft.calls.findIndex((one) => one.of === Number(number) - 1);
    const used = referencesIn(call.args).find(({ $prev }) => $prev === at);
    return used ? writeReference(used) : said;
  });
}

/** The reverse: the nth reference becomes the result of step n, of unknown type. */
function withoutReferences(task: string): { step: string; results: Map<number, unknown> } {
  const results = new Map<number, unknown>();
  const parts = partsOf(task).map((part) => {
    if (typeof part === "string") return part;
    results.set(results.size + 1, futureResult(part));
    return `the result of step ${results.size}`;
  });
  return { step: parts.join(""), results };
}
