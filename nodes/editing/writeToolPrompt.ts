import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { backgroundText, earlierTurnsText } from "../shared/conversationText.js";
import { callSignatureText, signatureText } from "../../models/signature.js";
import type { Prompt, WriteToolInput } from "../shared/stageInputs.js";

/**
 * Asks for the code of a new tool, or of a new version of one (Tulip Agent: AutoTulip). The reply is
 * plain text with the function in one fenced block, or the line `USE: name` for a tool that does the
 * task already. A draft that could not be used is shown again with the faults and their places; the
 * reference showed neither, so that the same mistake could come back.
 *
 * @param problem what was wrong with the model's last reply, where there was no draft in it
 */
export function writeToolPrompt(input: WriteToolInput, problem?: string): Prompt<"writeTool"> {
  return {
    stage: "writeTool",
    once: true,
    input,
    messages: [
      new SystemMessage(instructions(input)),
      new HumanMessage(order(input)),
      ...[draftText(input), problem].flatMap((text) => (text ? [new HumanMessage(text)] : [])),
    ],
  };
}

/** The tool that shows the form; like every tool, it has to pass its own examples. */
export const EXAMPLE_TOOL = `/**
 * Weighted mean of numbers.
 * @param values The numbers; at least one.
 * @param weights Their weights, one for each number; their sum is not 0.
 * @returns the weighted mean
 * @example weighted_mean([1, 2, 6], [1, 1, 2]) => 3.75
 * @example weighted_mean([5], [2]) => 5
 * @example weighted_mean([1, 2], [1]) => throws
 */
export function weighted_mean(values: number[], weights: number[]): number {
  const sumOf = (numbers: number[]): number => numbers.reduce((sum, one) => sum + one, 0);
  if (values.length !== weights.length) {
    throw new Error(\`\${values.length} values and \${weights.length} weights: there must be as many\`);
  }
  if (sumOf(weights) === 0) throw new Error("the weights add up to 0");
  return sumOf(values.map((value, at) => value * weights[at])) / sumOf(weights);
}`;

function instructions({ current, similar, callable, background }: WriteToolInput): string {
  return [
    "You are a very experienced TypeScript developer. You write one tool for the tool library of an agent: a function that the agent calls with the values of a task, and whose result it is given.",
    ["A tool has this form:", fenced(EXAMPLE_TOOL)].join("\n"),
    rulesText(callable.length > 0),
    callable.length > 0 && callableText(callable),
    current
      ? `You change a tool that there is. Its name stays, whatever else changes. The example calls that it has so far must go on giving what they state; only where the change itself asks for another result, state the same call again in an @example line with its new result.`
      : NAMING,
    similar.length > 0 &&
      "You are shown tools that may already do the task. If one of them does, reply with the one line `USE: name`, with its name, and nothing else.",
    `${similar.length > 0 ? "Otherwise reply" : "Reply"} with the whole function in one \`\`\`ts block.`,
    backgroundText(background),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function rulesText(mayCall: boolean): string {
  return [
    "Rules:",
    "- One exported function, as a function declaration. Type aliases and interfaces may stand beside it; helpers and constants go inside it.",
    "- Explicit types for every parameter and for the result: JSON data, that is texts, numbers, truth values, null, lists and objects of these.",
    "- Nothing but the language itself and its standard objects (ES2023). There are no imports, no console, no timers, no network, no files, no process and no DOM. What depends on the present time or on chance takes it as a parameter: the same call always gives the same result.",
    "- General, reusable and short: every value of the task at hand is a parameter.",
    "- Bad input ends in `throw new Error(...)` with a message that says what was wanted and what came.",
    "- The TSDoc comment says in its first sentence what the function does, then has one @param line for each parameter, with its unit and range, and @returns.",
    "- At least two @example lines, `call => result`. They are run, and each has to come out as stated. Arguments and results are literals; a special case that is refused has the result `throws`. Choose arguments whose result you know for certain; numbers are compared to nine digits.",
    `- No tags but these${mayCall ? " and @calls" : ""}: the library sets costs, time-outs and effects itself.`,
  ].join("\n");
}

const NAMING =
  "The name is descriptive, in snake_case, at most 64 characters long, and says what the function does in general; neither a value of the task nor a version belongs into it.";

function callableText(callable: WriteToolInput["callable"]): string {
  return [
    "Where it helps, the function may call these tools of the library, and no others. It then is async, lists each tool that it calls in the line `@calls name, name` of its TSDoc comment, and awaits the global function callTool, with the name as a literal. An example whose result depends on such a call may have the result `runs`: it ends without an error.",
    fenced(callable.map((tool) => callSignatureText(tool)).join("\n")),
  ].join("\n");
}

function order({ request, earlierTurns, task, current, similar }: WriteToolInput): string {
  return [
    earlierTurnsText(earlierTurns),
    request !== task && `The request as a whole, for which the tool is needed: ${request}`,
    current
      ? `Change the tool ${current.name} as follows: ${task}`
      : `Write a tool for this: ${task}`,
    current && ["Its code now:", fenced(current.code)].join("\n"),
    current &&
      current.examples.length > 0 &&
      [
        "Its example calls. Each has to hold after the change, too, or to be stated again with its new result where the change asks for another one:",
        ...current.examples.map((one) => `- ${one}`),
      ].join("\n"),
    similar.length > 0 &&
      [
        "Tools of the library that are near this task; they may or may not do it:",
        ...similar.map((tool) => `- ${signatureText(tool)}: ${tool.description}`),
      ].join("\n"),
  ]
    .filter(Boolean)
    .join("\n\n");
}

function draftText({ failed }: WriteToolInput): string {
  if (!failed) return "";
  const { draft, problem } = failed;
  return [
    draft.trim() ? ["Your last reply:", fenced(draft)].join("\n") : "Your last reply was empty.",
    ["What is wrong with it (lines are counted from the first line of the code):", problem].join(
      "\n",
    ),
    "Mend it; keep what is right, and reply with the whole function.",
  ].join("\n\n");
}

/** Code between fences that are longer than any run of backticks in it. */
function fenced(code: string): string {
  const longest = Math.max(2, ...[...code.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}ts\n${code.trim()}\n${fence}`;
}
