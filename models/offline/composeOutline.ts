import type { PlanStep } from "../../plans/plan.js";
import { partsOf, referencesIn, writeReference } from "../../plans/references.js";
import { writtenValue } from "../../plans/solutionText.js";
import type { ComposeStepInput, OutlineInput } from "../../prompts/stages.js";
import { type Draft, draftPlan } from "./composeDraft.js";
import { fillArguments } from "./fill.js";
import { futureResult, planValue } from "./futures.js";
import type { Reply } from "./message.js";
import { genericPhrase } from "./phrases.js";
import { fillRequestOf, readStep, sentencesOf } from "./stepChoices.js";

/** The calls of a plan as tasks in words, each with its tool; none where nothing can be planned. */
export async function replyToOutline(input: OutlineInput): Promise<Reply> {
  const draft = await draftPlan({ input, most: Infinity });
  const tasks = draft.calls.map(({ of, call }) => ({
    thought: `${call.tool} does what is asked for here: ${genericPhrase(draft.steps[of] ?? "")}`,
    tool_name: call.tool,
    task: withReferences({ of, call, draft }),
  }));
  return { text: JSON.stringify({ tasks }) };
}

/** The call of the last of the tasks, under the schema of its tool. */
export async function replyToComposeStep(input: ComposeStepInput): Promise<Reply> {
  const { request, tasks, tool } = input;
  const { step, results } = withoutReferences(tasks.at(-1)?.task ?? "");
  const sentences = sentencesOf(request);
  const asked = fillRequestOf({ ...readStep(step), sentences, results });
  const { args } = fillArguments({ tool, ...asked });
  const named = Object.entries(args).map(([argument_name, value]) => ({
    argument_name,
    argument_value: writtenValue(planValue(value)),
  }));
  return { text: JSON.stringify({ tool_name: tool.name, arguments: named }) };
}

const RESULT = /\b(?:the )?results? of step (\d+)\b/gi;

/** A step of the request in which earlier results stand as the call refers to them. */
function withReferences(options: { of: number; call: PlanStep; draft: Draft }): string {
  const { of, call, draft } = options;
  return (draft.steps[of] ?? "").replaceAll(RESULT, (said, number: string) => {
    const at = draft.calls.findIndex((one) => one.of === Number(number) - 1);
    const used = referencesIn(call.args).find(({ $prev }) => $prev === at);
    return used ? writeReference(used) : said;
  });
}

/** The reverse: the nth reference becomes the result of step n, of whose type nothing is known. */
function withoutReferences(task: string): { step: string; results: Map<number, unknown> } {
  const results = new Map<number, unknown>();
  const parts = partsOf(task).map((part) => {
    if (typeof part === "string") return part;
    results.set(results.size + 1, futureResult(part));
    return `the result of step ${results.size}`;
  });
  return { step: parts.join(""), results };
}
