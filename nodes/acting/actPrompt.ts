import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { attemptsText } from "../shared/attemptText.js";
import { anyWithheld, budgetText, withheldText } from "../shared/budgetText.js";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { demonstrationsText } from "./demonstrationText.js";
import type { ActInput, Prompt } from "../shared/stageInputs.js";
import { earlierResultsText } from "../shared/taskResults.js";

/**
 * Asks for the next tool calls, or for the answer. The steps stand right behind the request, before
 * the calls that were made since; what a budget leaves and what was tried at this point before stand
 * behind them. All of these are written anew at each visit, so that the conversation keeps nothing of
 * them. A task of a tree is asked for alone, without the conversation (Tulip Agent: DfsTulip).
 *
 * @param options.instructions replaces the default system prompt
 * @param options.earlier the conversation up to and including the request
 * @param options.since the calls and observations of this run; in a search over steps, of the branch
 * @param options.problem what was wrong with the model's last reply
 */
export function actPrompt(
  input: ActInput,
  options: {
    instructions?: string;
    earlier: BaseMessage[];
    since: BaseMessage[];
    problem?: string;
  },
): Prompt<"act"> {
  const { instructions, earlier, since, problem } = options;
  const system = instructions ?? systemText(input);
  const behind = [limitsText(input), attemptsText(input.search?.attempts ?? []), problem];
  return {
    stage: "act",
    input,
    messages: [
      new SystemMessage(
        [system, backgroundText(input.background), demonstrationsText(input.demonstrations ?? [])]
          .filter(Boolean)
          .join("\n\n"),
      ),
      ...(input.task ? [] : earlier),
      ...messageOf(input.task ? taskText(input, input.task) : stepsText(input)),
      ...since,
      ...behind.flatMap((text) => messageOf(text)),
    ],
  };
}

function messageOf(text: string | undefined): HumanMessage[] {
  return text ? [new HumanMessage(text)] : [];
}

function systemText(input: ActInput): string {
  if (input.search) return SEARCHING;
  if (input.keepsLibrary) return KEEPING_LIBRARY;
  if (input.task) return ONE_TASK;
  return worksWithTools(input) ? WITH_TOOLS : WITHOUT_TOOLS;
}

/** Tools that are withheld by now have been on offer. */
function worksWithTools({ tools, withheld }: ActInput): boolean {
  return tools.length > 0 || anyWithheld(withheld);
}

const WITHOUT_TOOLS =
  "You are a helpful agent. Find the steps that the request takes, work through them, and give the answer.";

/** What tools are for, what the model does itself, and what neither may do. */
const WORK = [
  "Have the tools do whatever they can: calculate, convert, look up, change. Counting, comparing, sorting and choosing among results is up to you. Take all other values (numbers, dates, ids, names) from the request, the situation or a result; never make one up.",
  "Call several tools at once only where none needs the result of another. After a failed call, try other arguments or another tool. Look-ups may be repeated with other arguments; never make the same change twice.",
].join("\n");

const WITH_TOOLS = [
  "You are a helpful agent that fulfils requests with tools.",
  WORK,
  "Then call stop, alone, with the whole answer: values as the tools gave them, with their units, rounded only where asked for. Where a part needs a tool that is not there, do the rest, and say what is missing and what tool it would take. solved is true only if nothing is missing; a part is done, too, where a look-up shows nothing to act on.",
].join("\n");

/** What ToolBench's agents are told, in words of our own (ToolLLM, BTP). */
const SEARCHING = [
  "You are an agent that fulfils requests with tools, in steps. In each, say in at most five short sentences where you stand and what to do next, and call a tool; you are then shown the result.",
  WORK,
  "Going back to an earlier step does not undo what its calls have changed.",
  "End by calling finish, alone. With give_answer, final_answer is all that the user sees: the values as the tools gave them, and what could not be done; if anything is missing, solved is false. Only if another way from the start may lead to more, call finish with give_up_and_restart and the reason.",
].join("\n");

/** What AutoTulip is told, in words of our own (Tulip Agent). Having no tool at hand is where it begins. */
const KEEPING_LIBRARY = [
  "You are an agent that fulfils requests with the tools of a library, which you keep yourself. On offer are tools that you have found or created; search for others.",
  WORK,
  "Find tools first: search_tools, with general descriptions of what each has to do, for every part of the request; decompose_task where the parts are not plain. If nothing suits, search once more in other words or split that part; if that does not help, create_tool with a description of something general and reusable, without the values at hand.",
  "Call update_tool and delete_tool only where the user asks for it, or where a created tool turns out to be wrong; only created tools can be changed or deleted. They need not be on offer, but their names have to be known: search for a tool that is spoken of in other words.",
  "Then call stop, alone, with the whole answer: values as the tools gave them, with their units, rounded only where asked for, and what was created, changed or deleted. solved is true only if nothing is missing; otherwise the answer says what is, and why.",
].join("\n");

const ONE_TASK =
  "You are an agent that solves one task of a larger plan with one tool. Take all values from the task, the request or an earlier result; never make one up.";

/** The whole of what is asked for a task; stands here and not in the system text, which a user may replace. */
function taskText(
  { request, earlierTurns }: ActInput,
  { text, earlierResults }: NonNullable<ActInput["task"]>,
): string {
  return [
    earlierTurnsText(earlierTurns),
    request !== text && `The request as a whole, to understand the task by: ${request}`,
    earlierResultsText(earlierResults),
    `Task: ${text}`,
    "Solve this task, and nothing beyond it, with one of the tools on offer. After a failed call, try other arguments or another tool. Then call stop, alone, with solved true and the result: the value as the tool gave it, its unit where one is known, and what it means. If no tool fits, call stop at once with solved false, and say what is missing.",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Why the plan that was made before the first call is not followed any further. */
function planText(plan: ActInput["plan"]): string {
  if (!plan) return "";
  const { left, remaining, code } = plan;
  if (code !== undefined) return programText({ code, left });
  return [
    `Calls were planned at once, and made as far as the plan held: ${left}. Go on from their results, call by call.`,
    remaining.length > 0 &&
      [
        "Planned and not made, where $$PREV[0] stands for the result of step 0; make these calls only where they still serve:",
        ...remaining.map((line) => `- ${line}`),
      ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n");
}

/** The same of a plan that is a program. */
function programText({ code, left }: { code: string; left: string }): string {
  return [
    "This program was written for the request, and followed from its top as far as it went:",
    `\`\`\`ts\n${code}\n\`\`\``,
    `It goes no further: ${left}. The calls that follow are all that it has made. Go on from their results, call by call, with what is still to be done.`,
  ].join("\n");
}

/** What a budget leaves and what is withheld; with no tool on offer any more, that the work has to end. */
function limitsText(input: ActInput): string {
  const { tools, search, keepsLibrary, budget, withheld } = input;
  const mayFindTools = keepsLibrary !== undefined;
  const isOver =
    tools.length === 0 && !mayFindTools && (search !== undefined || anyWithheld(withheld));
  const end = search ? "finish" : "stop";
  return [
    budgetText(budget),
    withheldText(withheld),
    isOver &&
      `No tool is left to be called. Call ${end} now, with the best answer that the results allow, and say what is missing.`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

function stepsText(input: ActInput): string {
  // A model that keeps the library has the answers of its searches in the conversation.
  if (!worksWithTools(input) || input.keepsLibrary) return "";
  const { steps, missed, plan } = input;
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  return [
    steps.length > 0 &&
      [
        "Follow these steps to fulfil the request above; where one tool on offer does several of them at once, use it:",
        ...numbered,
      ].join("\n"),
    missed.length > 0 &&
      [
        "The library was searched for the following, and has no tool for it. Use another tool on offer, or the results alone where these are enough; otherwise say in the answer that it is missing.",
        ...missed.map((part) => `- ${part}`),
      ].join("\n"),
    planText(plan),
  ]
    .filter(Boolean)
    .join("\n\n");
}
