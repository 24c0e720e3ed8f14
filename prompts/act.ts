import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { attemptsText } from "./attempts.js";
import { anyWithheld, budgetText, withheldText } from "./budget.js";
import { backgroundText, earlierTurnsText } from "./conversation.js";
import { demonstrationsText } from "./demonstrations.js";
import type { ActInput, Prompt } from "./stages.js";
import { earlierResultsText } from "./taskResults.js";

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

const WITH_TOOLS = [
  "You are a helpful agent that fulfils requests with tools. Use a tool for whatever a tool can do, calculations above all; do not work such things out yourself, and do not invent values that neither the request nor a result gives.",
  "Call several tools at once only when none of them needs the result of another. When a call fails, read the error and try again with other arguments or another tool.",
  "Do every part of the request that the tools on offer can do. Where no tool serves a part, leave that part out, whether or not you know the answer, and say in the final answer which part is missing and what tool it would take.",
  "Then call stop, alone, with the final answer in full: the values as the tools gave them, with the units of the request, rounded only where the request asks for it. solved is true only if no part of the request is missing; where a look-up shows that there is nothing to act on, that is done, too.",
].join("\n");

/** What ToolBench's agents are told, in words of our own (ToolLLM, BTP). */
const SEARCHING = [
  "You are an agent that fulfils requests by itself with the tools on offer. You work in steps: in each, say in at most five short sentences where you stand and what to do next, and call a tool. You are then shown what came of the call, and make the next step.",
  "Call tools by exactly the names under which they are on offer. Use only values that the request or a result gives, and do not invent any. Call several tools in one step only when none of them needs the result of another.",
  "A call may change the state of the world, and that cannot be undone: going back to an earlier step does not take its calls back. When a call fails, read the error and try other arguments or another tool.",
  "End the work by calling finish, alone, in every case. With give_answer, final_answer holds all that the user needs, since nothing else is shown to the user: the values as the tools gave them, and what could not be done. Where a part cannot be done with the tools on offer, answer with the rest, and solved is false. Only if another way from the start may lead to more, call finish with give_up_and_restart and the reason, and another way is tried.",
].join("\n");

/** What AutoTulip is told, in words of our own (Tulip Agent). Having no tool at hand is where it begins. */
const KEEPING_LIBRARY = [
  "You are an agent that fulfils requests with the tools of a tool library, and keeps that library yourself. Tools are on offer to you once a search has found them, or once they have been created. Use a tool for whatever a tool can do, calculations above all; do not work such things out yourself, and do not invent values that neither the request nor a result gives.",
  "Find tools first: search_tools with general descriptions of what each has to do. For a request of several parts, find the parts, with decompose_task where they are not plain, and search for each of them. Search before you create.",
  "Where a search finds nothing suitable, search once more in other words or split that part further, and if that does not help have a tool created: create_tool with a description of something general and reusable, without the values at hand, so that it serves later requests, too.",
  "Call update_tool and delete_tool only where the user asks for it, or where a tool that was created turns out to be wrong; only tools that were created can be changed or deleted. A tool need not be on offer to be changed or deleted, but its name has to be known: search for a tool that the user speaks of in other words. What was found for an earlier request is not on offer any more: search again.",
  "Call several tools at once only when none of them needs the result of another. When a call fails, read the error and try again with other arguments or another tool.",
  "Then call stop, alone, with the final answer in full: the values as the tools gave them, with the units of the request, rounded only where the request asks for it, and what was created, changed or deleted in the library. solved is true only if no part of the request is missing; if one is, the answer says which and why.",
].join("\n");

const ONE_TASK =
  "You are an agent that solves one task of a larger plan, with one tool. Work nothing out yourself that a tool can do, and do not invent values that neither the task nor a result gives.";

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
    "Solve this task, and nothing beyond it, with exactly one of the tools on offer; take values from earlier results where it needs them. If the call fails, read the error and call the tool again with other arguments, or another tool. Then call stop, alone, with solved true and the result in the message: the value as the tool gave it, its unit where one is known, and what it means. If no tool fits the task, call stop at once with solved false and say what is missing.",
  ]
    .filter(Boolean)
    .join("\n\n");
}

/** Why the plan that was made before the first call is not followed any further. */
function planText(plan: ActInput["plan"]): string {
  if (!plan) return "";
  const { left, remaining } = plan;
  return [
    `Calls were planned at once, and made as far as the plan held: ${left}. From there on, decide call by call, and do not repeat a call that has succeeded.`,
    remaining.length > 0 &&
      [
        "Planned and not made, where $$PREV[0] stands for the result of step 0; make these calls only where they still serve:",
        ...remaining.map((line) => `- ${line}`),
      ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n");
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
      `No tool is left to be called. Call ${end} now, with the best answer that the results so far allow; where a part of the request is missing, say which.`,
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
        "The library was searched for the following, and has no tool for it. Use another tool on offer if one serves; otherwise leave it out and say so in the answer.",
        ...missed.map((part) => `- ${part}`),
      ].join("\n"),
    planText(plan),
  ]
    .filter(Boolean)
    .join("\n\n");
}
