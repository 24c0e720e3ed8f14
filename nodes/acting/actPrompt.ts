import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { observationLine } from "../../state/calls.js";
import {
  attemptText,
  anyWithheld,
  budgetText,
  withheldText,
  backgroundText,
  earlierTurnsText,
  earlierResultsText,
} from "../kit/promptTexts.js";
import type { Prompt, ShownDemonstration } from "../kit/stageInputs.js";
import type { Attempt } from "../../state/searchTree.js";
import type { ActInput } from "./actInput.js";

/**
 * Asks for the next tool calls or the answer. The steps follow the request directly, before the calls made
 * since; the remaining budget and earlier tries at this point come after those calls. All of this is rewritten
 * at each visit, so none of it stays in the conversation. A task of a tree is asked for alone, without the
 * conversation (Tulip Agent: DfsTulip).
 *
 * @param options.instructions replaces the default system prompt
 * @param options.earlier the conversation up to and including the request
 * @param options.since the calls and observations of this run; in a step search, of the branch
 * @param options.problem what was wrong with the model's last reply
 */
export function actPrompt(
  input: ActInput,
  options: {
    instructions?: string;
    earlier: BaseMessage[];
    since: BaseMessage[];
    problem?: string;
    /** Messages as the model is sent them. */
    encoded?: (messages: BaseMessage[]) => BaseMessage[];
  },
): Prompt<"act"> {
  const { instructions = systemText(input), earlier, since, problem } = options;
  const { encoded = (messages) => messages } = options;
  const { background, demonstrations = [], task, search, oneShot } = input;
  const system = [
    instructions,
    oneShot && EXAMPLE,
    backgroundText(background),
    demonstrationsText(demonstrations),
  ];
  const after = [limitsText(input), attemptsText(search?.attempts ?? []), problem];
  const messagesFor = (told: ActInput, said: Pick<typeof options, "earlier" | "since">) => [
    new SystemMessage(paragraphs(system)),
    ...(task ? [] : encoded(said.earlier)),
    ...messageOf(task ? taskText(told, task) : stepsText(told)),
    ...encoded(said.since),
    ...after.flatMap((text) => messageOf(text)),
  ];
  const within = async (tokens: number) => {
    const { shortenedConversation, shortenedTurns, tokensOf } =
      await import("../../state/shortened.js");
    const others = tokensOf(
      messagesFor({ ...input, earlierTurns: [] }, { earlier: [], since: [] }),
    );
    const left = tokens - others;
    if (!task) {
      const { shortened, ...short } = shortenedConversation({ earlier, since }, left);
      return { messages: messagesFor(input, short), shortened };
    }
    const { turns, shortened } = shortenedTurns(input.earlierTurns, left - tokensOf(since));
    return {
      messages: messagesFor({ ...input, earlierTurns: turns }, { earlier, since }),
      shortened,
    };
  };
  return {
    stage: "act",
    input,
    messages: messagesFor(input, { earlier, since }),
    within,
    byRules: async () => (await import("../../models/offline/replies.js")).replyToAct(input),
  };
}

type Text = string | false | undefined;

function paragraphs(texts: readonly Text[]): string {
  return texts.filter(Boolean).join("\n\n");
}

function lines(texts: readonly Text[]): string {
  return texts.filter(Boolean).join("\n");
}

function messageOf(text: Text): HumanMessage[] {
  return text ? [new HumanMessage(text)] : [];
}

function systemText(input: ActInput): string {
  if (input.search) return SEARCHING;
  if (input.keepsLibrary) return KEEPING_LIBRARY;
  if (input.task) return ONE_TASK;
  return worksWithTools(input) ? WITH_TOOLS : WITHOUT_TOOLS;
}

/** Tools now withheld were on offer earlier. */
function worksWithTools({ tools, withheld }: ActInput): boolean {
  return tools.length > 0 || anyWithheld(withheld);
}

const WITHOUT_TOOLS = "Work through the steps that the request takes, and give the answer.";

const WORK = lines([
  "Calculate, convert, look up and change with tools; count, compare, sort and choose yourself. Take all other values from the request, the situation or a result; never invent any.",
  "Call tools together only if none needs another's result. After a failure, try other arguments or another tool. Never repeat a change.",
]);

/** From the request to the answer, as the system prompt of OneShotCotTulip shows it (Tulip Agent), in our own words. */
const EXAMPLE = lines([
  "Example, with other tools. Request: How many 0.25 m² tiles does a 6 m by 4.5 m floor take, with 8 spares?",
  "1. rectangle_area(length=6, width=4.5) gives 27.",
  "2. divide(a=27, b=0.25) gives 108.",
  "3. add(a=108, b=8) gives 116.",
  '4. stop(message="It takes 116 tiles.", solved=true)',
]);

const ANSWER_VALUES = "values as given, with units, rounded only if asked";

const WITH_TOOLS = lines([
  "Fulfil the request with tools; reply with tool calls only.",
  WORK,
  `Then call stop, alone, with the whole answer: ${ANSWER_VALUES}. If a part lacks a tool, do the rest and name what is missing and the tool it takes. solved is true only if nothing is missing; a part with nothing to act on counts as done.`,
]);

/** What ToolBench's agents are told, in our own words (ToolLLM, BTP). */
const SEARCHING = lines([
  "Fulfil the request with tools, step by step: say in at most five short sentences where you are and what comes next, and call a tool.",
  WORK,
  "Going back undoes no change.",
  "End by calling finish, alone: give_answer with everything the user should see (values as given, and what could not be done; solved is false if anything is missing), or, only if another way from the start may lead further, give_up_and_restart with the reason.",
]);

/** What AutoTulip is told, in our own words (Tulip Agent). It starts without any tool. */
const KEEPING_LIBRARY = lines([
  "Fulfil the request with the tools of a library that you keep yourself: those on offer, and others that you find or create.",
  WORK,
  "First find tools for every part: search_tools takes general descriptions of what each has to do; decompose_task helps if the parts are not obvious. If nothing suits, search once more in other words or split the part; then use create_tool for something general and reusable, without the values at hand.",
  "Use update_tool and delete_tool on created tools only, if the user asks or one is wrong; search for a name that you do not know.",
  `Then call stop, alone, with the whole answer: ${ANSWER_VALUES}, and what was created, changed or deleted. solved is true only if nothing is missing; otherwise say what is missing and why.`,
]);

const ONE_TASK =
  "Solve one task of a larger plan. Take all values from the task, the request or an earlier result; never invent any.";

/** Everything asked for a task; not part of the system prompt, because a user may replace that. */
function taskText(
  { request, earlierTurns }: ActInput,
  { text, earlierResults }: NonNullable<ActInput["task"]>,
): string {
  return paragraphs([
    earlierTurnsText(earlierTurns),
    request !== text && `The request as a whole: ${request}`,
    earlierResultsText(earlierResults),
    `Task: ${text}`,
    "Solve only this task, with one tool. After a failure, try other arguments or another tool. Then call stop, alone, with solved true and the result: the value as given, its unit if known, and what it means. If no tool fits, call stop with solved false and say what is missing.",
  ]);
}

/** How similar tasks were solved, for the model to imitate with the current values (TPTU-v2, arXiv:2311.11315). */
function demonstrationsText(demonstrations: readonly ShownDemonstration[]): string {
  if (demonstrations.length === 0) return "";
  return paragraphs([
    "Examples with these tools: learn which to use, in which order and with what arguments, but take no values from them:",
    ...demonstrations.map(demonstrationText),
  ]);
}

function demonstrationText({ task, calls, answer }: ShownDemonstration, at: number): string {
  return lines([
    `Example ${at + 1}: ${task}`,
    ...calls.flatMap(({ name, args, result }) => [
      `Call: ${name}(${JSON.stringify(args)})`,
      result !== undefined &&
        `Result: ${observationLine(typeof result === "string" ? result : JSON.stringify(result))}`,
    ]),
    answer && `Answer: ${observationLine(answer)}`,
  ]);
}

function planText({ plan, observations }: ActInput): string {
  if (!plan) return "";
  const { left, code, unchanged } = plan;
  const soFar =
    observations.length === 0
      ? "No call was made"
      : `All calls so far follow${unchanged ? "; nothing was changed" : ""}`;
  return lines([
    `This program was run for the request:\n\`\`\`ts\n${code}\n\`\`\``,
    `It stopped here: ${left.replace(/\.$/u, "")}. ${soFar}. Continue from there, call by call.`,
  ]);
}

function limitsText({ tools, search, keepsLibrary, budget, withheld }: ActInput): string {
  const mayFindTools = keepsLibrary !== undefined;
  const isOver =
    tools.length === 0 && !mayFindTools && (search !== undefined || anyWithheld(withheld));
  const end = search ? "finish" : "stop";
  return paragraphs([
    budgetText(budget),
    withheldText(withheld),
    isOver &&
      `No tool is left. Call ${end} now: give the best answer the results allow, and say what is missing.`,
  ]);
}

/** Asks for something other than earlier tries at this point (DFSDT's diversity message). */
function attemptsText(attempts: readonly Attempt[]): string {
  if (attempts.length === 0) return "";
  return paragraphs([
    "Earlier tries at this point. They are not part of the work above, so do not build on their results:",
    ...attempts.map((attempt, at) => `Try ${at + 1}\n${attemptText(attempt) || "(nothing)"}`),
    "Take a different step: another tool, other arguments or another order. If none makes sense, call finish: give_answer if the work above holds the answer, else give_up_and_restart.",
  ]);
}

function stepsText(input: ActInput): string {
  // A model that keeps the library has the answers of its searches in the conversation.
  if (!worksWithTools(input) || input.keepsLibrary) return "";
  const { steps, missed, outOfReach } = input;
  return paragraphs([
    steps.length > 0 &&
      lines([
        "Follow these steps; one tool may do several at once:",
        ...steps.map((step, index) => `${index + 1}. ${step}`),
      ]),
    missed.length > 0 &&
      lines([
        "No tool was found for these. Use other tools or results if they suffice; otherwise say in the answer what is missing.",
        ...missed.map((part) => `- ${part}`),
      ]),
    planText(input),
    outOfReach && `${outOfReach} Never say that there is no such tool; say why it is out of reach.`,
  ]);
}
