import { z } from "zod";
import type { Reply } from "../../../models/prompt.js";
import { toolLines } from "../../../models/toolLines.js";
import { backgroundOf } from "../../../nodes/shared/runBasics.js";
import { askFor, formQuestion } from "../../../nodes/shared/question.js";
import { type Reading, replyForm } from "../../../nodes/shared/replyForm.js";
import { toolView } from "../../../nodes/shared/modelView.js";
import { askingStage } from "../../../nodes/shared/stage.js";
import type { OfferedTool, RunBasics } from "../../../nodes/shared/stageInputs.js";
import type { PlanReference, PlanStep, PlanValue } from "../../../plans/steps/plan.js";
import { isPlainObject, isReference, isText } from "../../../plans/steps/references.js";
import { wordsOf } from "../../../tools/library/vectors/embedding.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import { isSaid, literalsOf } from "../requestCheck.js";
import { type GenerationState, type GenerationUpdate, dropDraw } from "../generationState.js";
import { type GenerationTools, generationTools } from "./generationTools.js";

/** What the question for a person's request depends on. */
export interface WriteQueryInput extends RunBasics {
  /** A description of the person. */
  persona: string;
  /** Calls that the request must ask for, in order, one line each; empty if the model is free. */
  steps: string[];
  /** What the request may ask for. */
  tools: OfferedTool[];
  /** Things that exist, with the names to use in a request. */
  facts: string[];
  /** Earlier requests, which the new one must not resemble. */
  taken: string[];
}

declare module "../../../nodes/shared/stageInputs.js" {
  interface StageInputs {
    writeQuery: WriteQueryInput;
  }
}

/** Asks for a person's request: for given steps ("AI Agent 007", flow-based), or freely (persona-based). */
export const queryQuestion = formQuestion({
  stage: "writeQuery",
  form: replyForm(
    z.object({
      request: z.string().trim().min(1).describe("The request, in the person's own words"),
    }),
  ),
  instructions: ({ steps }: WriteQueryInput) => [
    "Write one request of a person to an assistant: short and natural, as this person would type it, without naming tools, arguments or steps.",
    steps.length > 0
      ? "Ask for exactly what the steps do, but not for results that only later steps use. Copy every value: numbers in digits; identifiers, names, days and quoted texts letter for letter."
      : "Ask for what the tools can do, best with two or three of them where one uses what another gives. Give all values that they need, from what exists; invent no identifier or name.",
  ],
  task: ({ persona, steps, tools, facts, taken }) => [
    `Person: ${persona}`,
    `What the assistant can do:\n${toolLines(tools)}`,
    listed("Steps to lead to:", steps),
    listed("Things that exist:", facts),
    listed("Be unlike these requests:", taken),
  ],
  byRules,
});

function listed(head: string, lines: readonly string[]): string {
  return lines.length > 0 ? [head, ...lines.map((line) => `- ${line}`)].join("\n") : "";
}

/** Asks for the given calls in plain sentences; without calls, rules cannot invent a request. */
async function byRules({ steps }: WriteQueryInput): Promise<Reply> {
  if (steps.length === 0) return { text: CANNOT_INVENT, refusal: true };
  return { text: JSON.stringify({ request: steps.map(asSentence).join(" ") }) };
}

const CANNOT_INVENT =
  "The offline planner cannot think of requests; use a language model with --model.";

function asSentence(step: string): string {
  const text = step.trim();
  const end = /[.?!]$/.test(text) ? "" : ".";
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${end}`;
}

/** A draw is dropped if its request still lacks values after the model was told so. */
const MOST_ATTEMPTS = 2;

/**
 * Asks a model for the request of a person: if there is a plan, for its steps and with all of its values, else
 * one that the person might have for the drawn tools.
 */
export function writeQuery() {
  return askingStage<GenerationState, GenerationUpdate>({}, async (state, config) => {
    const opened = await generationTools(state, config);
    const { settings } = opened;
    const answer = await askFor(
      { ...queryQuestion, read: ({ text }) => readQuery(text, state, opened) },
      {
        state,
        settings,
        config,
        input: queryInput(state, opened),
        givesUp: ({ attempts }) =>
          attempts === MOST_ATTEMPTS ? dropDraw(state, "whose request lacks values") : undefined,
      },
    );
    if ("end" in answer) return answer.end;
    return { run: { ...state.run, request: answer.value }, ...answer.asked };
  });
}

/** How many of the last requests the model sees: it tends to repeat itself within a few. */
const TAKEN_SHOWN = 10;

function queryInput(state: GenerationState, { tools, settings }: GenerationTools): WriteQueryInput {
  const steps = state.plan?.steps ?? [];
  const wanted = steps.length > 0 ? steps.map(({ tool }) => tool) : state.toolIds;
  return {
    request: "",
    background: backgroundOf(settings),
    earlierTurns: [],
    persona: state.persona,
    steps: stepLines(steps, tools),
    tools: wanted.flatMap((id) => {
      const tool = tools.get(id);
      return tool ? [toolView([id, tool])] : [];
    }),
    facts: state.facts,
    taken: state.taken.requests.slice(-TAKEN_SHOWN),
  };
}

/** The request, if it contains all values of the plan. */
function readQuery(text: string, state: GenerationState, opened: GenerationTools): Reading<string> {
  const read = queryQuestion.form.read(text);
  if ("problem" in read) return read;
  const { request } = read.value;
  const steps = state.plan?.steps ?? [];
  const lacking = literalsOf({ steps, tools: opened.tools })
    .filter((literal) => !isSaid(literal, request))
    .map(({ value }) => JSON.stringify(value));
  if (lacking.length === 0) return { value: request };
  const problem = `Your last request cannot be carried out: it does not say: ${lacking.join(", ")}. Write it again with each of these values exactly as here.`;
  return { problem };
}

/** The steps of a plan in plain words, one line each, for writing a request. */
export function stepLines(
  steps: readonly PlanStep[],
  tools: ReadonlyMap<string, Pick<ToolDefinition, "description">>,
): string[] {
  return steps.map(({ tool, args }, at) => {
    const task = taskOf(tools.get(tool)?.description ?? wordsOf(tool));
    const given = Object.entries(args).map(
      ([name, value]) => `${wordsOf(name)}: ${valueInWords(value, at)}`,
    );
    return given.length > 0 ? `${task} (${given.join("; ")})` : task;
  });
}

/** The beginning of a description; later explanations and examples would be mistaken for the task. */
function taskOf(description: string): string {
  const [task = ""] = description.trim().split(/[.!?]?(?:\s*\n|(?<=[.!?])\s)|[:;]\s|,? such as /);
  return task.replaceAll(/\s*\([^)]*\)/g, "").replace(/[.!?]$/, "");
}

function valueInWords(value: PlanValue, step: number): string {
  if (isReference(value)) return outputInWords(value, step);
  if (isText(value)) {
    return value.$text
      .map((part) => (typeof part === "string" ? part : outputInWords(part, step)))
      .join("");
  }
  if (typeof value === "string") return `"${value}"`;
  if (Array.isArray(value)) return value.map((item) => valueInWords(item, step)).join(", ");
  if (!isPlainObject(value)) return String(value);
  return Object.entries(value)
    .map(([name, inner]) => `${wordsOf(name)} ${valueInWords(inner, step)}`)
    .join(", ");
}

function outputInWords({ $prev, path }: PlanReference, step: number): string {
  const from = $prev === step - 1 ? "the result before this" : `the result of step ${$prev + 1}`;
  const parts = path.map((part) => (typeof part === "number" ? "first item" : wordsOf(part)));
  return [...parts.toReversed().map((part) => `the ${part} of`), from].join(" ");
}
