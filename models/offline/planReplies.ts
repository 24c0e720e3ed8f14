import type { ComposeInput } from "../../nodes/planning/compose.js";
import type { ComposeStepsInput } from "../../nodes/planning/composeSteps.js";
import type { OutlineInput } from "../../nodes/planning/writeOutline.js";
import type { WriteProgramInput } from "../../nodes/programs/programQuestion.js";
import { codeText, programText, planText, solutionText } from "../../plans/steps/planText.js";
import type { Plan } from "../../plans/steps/plan.js";
import { writeReference } from "../../plans/steps/references.js";
import type { Reply } from "../prompt.js";
import { answerOf, planSteps } from "./plans.js";
import { readRequest } from "./requests.js";
import { Refusal } from "./texts.js";

type PlanQuestion = Pick<ComposeInput, "request" | "tools" | "failed">;

/** A whole plan in the requested form. */
export function replyToCompose(input: ComposeInput): Reply {
  const { plan } = planFor(input);
  if (input.style === "typed") return { text: planText(plan) };
  return { text: input.style === "code" ? codeText(plan) : solutionText(plan) };
}

/** "Undo that, please", "Take it back" */
const TAKES_BACK = /^(?:please )?(?:undo|revert|take (?:that|it|this|them|everything) back)\b/i;

/** The plan as a program, or what to search for if a tool is lacking. */
export function replyToWriteProgram(input: WriteProgramInput): Reply {
  if (input.mayUndo && TAKES_BACK.test(input.request)) return { text: "```ts\nundo({});\n```" };
  const searched = [...input.searched.map(({ phrase }) => phrase), ...input.missed];
  const { plan, lacking } = planFor(input, searched);
  const code = lacking === undefined ? programText(plan) : `need(${JSON.stringify(lacking)});`;
  return { text: `\`\`\`ts\n${code}\n\`\`\`` };
}

/** The steps of a request as tasks, each with its tool. */
export function replyToOutline(input: OutlineInput): Reply {
  const { plan, steps } = planFor(input);
  const thought = "It matches every word of the task.";
  const tasks = steps.map(({ text: task }, at) => ({
    thought,
    tool_name: plan.steps[at]?.tool,
    task,
  }));
  return { text: JSON.stringify({ tasks }) };
}

/** The calls of the tasks, which are the steps of the request. */
export function replyToComposeSteps(input: ComposeStepsInput): Reply {
  return { text: `{"calls": ${solutionText(planFor(input).plan)}}` };
}

/** A plan of all steps, or what to search for first. @throws Refusal if there is neither */
function planFor({ request, tools, failed }: PlanQuestion, sought?: readonly string[]) {
  // The rules would only write the same again.
  if (failed && failed.problems.length > 0)
    throw new Refusal(`My only plan cannot be carried out: ${failed.problems.join("; ")}.`);
  const steps = readRequest(request);
  // The words of a whole request were searched for at the start.
  const isSought = steps.length === 1 && !steps[0]?.sum;
  const calls = planSteps({ steps, tools, searched: isSought ? undefined : sought });
  if (typeof calls === "string") return { plan: NOTHING, steps, lacking: calls };
  const values = steps.map((_, at) => writeReference({ $prev: at, path: [] }));
  return { plan: { steps: calls, answer: answerOf(steps, values) }, steps };
}

const NOTHING: Plan = { steps: [], answer: "" };
