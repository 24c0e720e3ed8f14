import { type BaseMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
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
  const steps = stepsText(input);
  return {
    stage: "act",
    input,
    messages: [
      new SystemMessage(instructions ?? (input.tools.length > 0 ? WITH_TOOLS : WITHOUT_TOOLS)),
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
  "When the request is fulfilled, call stop, alone, with the final answer in full. If it cannot be fulfilled with the tools at hand, call stop with solved set to false and say what is missing.",
].join("\n");

function stepsText({ steps, missed, tools }: ActInput): string {
  if (steps.length === 0 || tools.length === 0) return "";
  const numbered = steps.map((step, index) => `${index + 1}. ${step}`);
  return [
    ["Follow these steps to fulfil the request above:", ...numbered].join("\n"),
    missed.length > 0 &&
      [
        "The library has no tool for these of them; see whether another tool serves, and say so in the answer where none does:",
        ...missed.map((step) => `- ${step}`),
      ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}
