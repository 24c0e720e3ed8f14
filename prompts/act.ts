import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import { backgroundText } from "./conversation.js";
import type { ActInput, Prompt } from "./stages.js";

/**
 * Asks for the next tool calls, or for the answer. The steps stand right behind the request, before
 * the calls that were made since, and are written anew at each visit, so that the conversation keeps
 * nothing of them.
 *
 * @param options.instructions replaces the default system prompt
 * @param options.earlier the conversation up to and including the request
 * @param options.since the calls and observations of this run
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
  const system = instructions ?? (input.tools.length > 0 ? WITH_TOOLS : WITHOUT_TOOLS);
  const steps = stepsText(input);
  return {
    stage: "act",
    input,
    messages: [
      new SystemMessage([system, backgroundText(input.background)].filter(Boolean).join("\n\n")),
      ...earlier,
      ...(steps ? [new HumanMessage(steps)] : []),
      ...since,
      ...(problem ? [new HumanMessage(problem)] : []),
    ],
  };
}

const WITHOUT_TOOLS =
  "You are a helpful agent. Find the steps that the request takes, work through them, and give the answer.";

const WITH_TOOLS = [
  "You are a helpful agent that fulfils requests with tools. Use a tool for whatever a tool can do, calculations above all; do not work such things out yourself, and do not invent values that neither the request nor a result gives.",
  "Call several tools at once only when none of them needs the result of another. When a call fails, read the error and try again with other arguments or another tool.",
  "Do every part of the request that the tools on offer can do. Where no tool serves a part, leave that part out, whether or not you know the answer, and say in the final answer which part is missing and what tool it would take.",
  "Then call stop, alone, with the final answer in full: the values as the tools gave them, with the units of the request, rounded only where the request asks for it. solved is true only if no part of the request is missing; where a look-up shows that there is nothing to act on, that is done, too.",
].join("\n");

function stepsText({ steps, missed, tools }: ActInput): string {
  if (tools.length === 0) return "";
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
  ]
    .filter(Boolean)
    .join("\n\n");
}
