import { isDeepStrictEqual } from "node:util";
import type { DecomposeInput } from "../../nodes/finding/decompose.js";
import { splitRequest } from "./clauses.js";
import { readGiven, withGiven } from "./given.js";
import type { Reply } from "../prompt.js";
import { genericPhrase } from "./phrases.js";

/** The subtasks of a task; none if it was missed and has no parts. */
export async function replyToDecompose(input: DecomposeInput): Promise<Reply> {
  return { text: JSON.stringify({ subtasks: await subtasksOf(input) }) };
}

async function subtasksOf(input: DecomposeInput): Promise<string[]> {
  const { style, task, depth } = input;
  if (style === "tree") return await planOfTree(input);
  if (depth === 0) return await splitRequest(task);
  const parts = await splitSubtask(task);
  // A missed subtask without parts would only be missed again.
  return parts.length <= 1 ? [] : parts;
}

/** The parts of a task; none if it has none, or if the same parts failed before. */
async function planOfTree(input: DecomposeInput): Promise<string[]> {
  const { task, earlierResults = [], failedPlans = [] } = input;
  const split = await splitTask(withoutLabel(task), earlierResults.length);
  const parts = split.map((part) => labelled(part));
  const isKnown = failedPlans.some(({ subtasks }) => isDeepStrictEqual(subtasks, parts));
  return parts.length <= 1 || isKnown ? [] : parts;
}

/** While a subtask is split, inherited step numbers are raised above its own. */
const LIFT = 100_000;

const REFERENCE = /\bresults? of (step|part) (\d+)\b/gi;

/**
 * Splits a subtask for which no tool was found. Its parts call each other "the result of part n", because "step n" in
 * its text means a step of the request.
 */
export function splitSubtask(subtask: string): Promise<string[]> {
  return splitAndNumber(subtask, (step) => `part ${step}`);
}

/**
 * Splits a task of a tree. Its parts are numbered after the earlier results: for each part, "step n" is the nth result
 * known when its turn comes.
 *
 * @param earlier number of results before the task
 */
export function splitTask(task: string, earlier: number): Promise<string[]> {
  return splitAndNumber(task, (step) => `step ${earlier + step}`);
}

/** Splits a text in which "step n" means a step outside of it; `nameOf` names its own steps. */
async function splitAndNumber(text: string, nameOf: (step: number) => string): Promise<string[]> {
  const lifted = text.replaceAll(REFERENCE, (said, kind: string, number: string) =>
    kind.toLowerCase() === "step" ? `result of step ${LIFT + Number(number)}` : said,
  );
  const { asked, facts } = readGiven(lifted);
  const parts = await splitRequest(asked);
  return parts.map((part) =>
    withGiven({ asked: part, facts }).replaceAll(REFERENCE, (_, kind: string, number: string) =>
      Number(number) > LIFT
        ? `result of step ${Number(number) - LIFT}`
        : `result of ${kind === "step" ? nameOf(Number(number)) : `${kind} ${number}`}`,
    ),
  );
}

/**
 * The steps of a request: its subtasks, or its own steps if there are none. If some subtasks were replaced by their
 * parts, references are renumbered: "step 2" of the request becomes the last part of the former step 2, "part 1" the
 * first part of its own subtask. Subtasks that do not come from the request keep their numbers.
 */
export async function stepsOf(request: string, steps: readonly string[]): Promise<string[]> {
  const original = await splitRequest(request);
  if (steps.length === 0) return original;
  const origins = originsOf(original, steps);
  if (!origins) return [...steps];
  return steps.map((step, at) =>
    step.replaceAll(REFERENCE, (said, kind: string, number: string) => {
      const isPart = kind.toLowerCase() === "part";
      const origin = isPart ? origins[at] : Number(number) - 1;
      // No step of the request refers to itself or to a later one.
      if (!isPart && Number(number) > (origins[at] ?? 0)) return said;
      const first = origins.indexOf(origin ?? -1);
      const place = isPart ? first + Number(number) - 1 : origins.lastIndexOf(origin ?? -1);
      return first < 0 ? said : `result of step ${place + 1}`;
    }),
  );
}

/** For each step, the original step that it is or is a part of; undefined if they do not match. */
function originsOf(original: readonly string[], steps: readonly string[]): number[] | undefined {
  const origins: number[] = [];
  let at = 0;
  for (const step of steps) {
    const same = original.indexOf(step, at);
    if (same >= 0) at = same;
    else if (original[at] === steps[origins.length - 1]) at += 1;
    if (at >= original.length) return undefined;
    origins.push(at);
  }
  return new Set(origins).size === original.length ? origins : undefined;
}

/**
 * A part of a task with its general wording as a label: "add two numbers: add the result of step 1 and 2". Trees search
 * with the words of a task, and references to results say little about the tool.
 */
export function labelled(step: string): string {
  if (!/\bresults? of (?:step|part) \d/i.test(step)) return step;
  const text = `${genericPhrase(step)}: ${step}`;
  return withoutLabel(text) === step ? text : step;
}

/** Inverse of {@link labelled}; any other text is unchanged. */
export function withoutLabel(text: string): string {
  const at = text.indexOf(": ");
  const step = text.slice(at + 2);
  return at > 0 && genericPhrase(step) === text.slice(0, at) ? step : text;
}
