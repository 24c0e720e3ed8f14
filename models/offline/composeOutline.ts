import type { PlanStep } from "../../plans/plan.js";
import { partsOf, referencesIn, writeReference } from "../../plans/references.js";
import { writtenValue } from "../../plans/solutionText.js";
import type { ComposeStepsInput } from "../../nodes/planning/composeSteps.js";
import type { OutlineInput } from "../../nodes/planning/writeOutline.js";
import type { OfferedTool } from "../../nodes/shared/stageInputs.js";
import { type Draft, draftPlan } from "./composeDraft.js";
import { fillArguments } from "./fill.js";
import { futureResult, planValue } from "./futures.js";
import type { Reply } from "./message.js";
import { genericPhrase } from "./phrases.js";
import { type Sentence, fillRequestOf, readStep, sentencesOf } from "./stepChoices.js";

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
