import { splitRequest } from "./clauses.js";
import { readGiven, withGiven } from "./given.js";

/** Inherited step numbers are lifted above any local one while a subtask is split. */
const LIFT = 100_000;

const REFERENCE = /\bresults? of (step|part) (\d+)\b/gi;

/**
 * Splits a subtask for which no tool was found. Its parts speak of each other as "the result of part
 * n", since "step n" in its text means a step of the request.
 */
export function splitSubtask(subtask: string): Promise<string[]> {
  return splitAndNumber(subtask, (step) => `part ${step}`);
}

/**
 * Splits a task of a tree. Its parts go on counting behind the results that the tasks before it have
 * given: to each of them, "step n" is the nth result that is known when its turn comes.
 *
 * @param earlier how many results there are before the task
 */
export function splitTask(task: string, earlier: number): Promise<string[]> {
  return splitAndNumber(task, (step) => `step ${earlier + step}`);
}

/** Splits a text in which "step n" means a step outside of it, and names its own steps otherwise. */
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
 * Renumbers the references in steps of which some were replaced by their parts: "step 2" of the
 * request becomes the last part of what was step 2, "part 1" the first part of its own subtask.
 * Steps that do not come from the request keep their numbers.
 */
export async function renumberSteps(request: string, steps: readonly string[]): Promise<string[]> {
  const original = await splitRequest(request);
  const origins = originsOf(original, steps);
  if (!origins) return [...steps];
  return steps.map((step, at) =>
    step.replaceAll(REFERENCE, (said, kind: string, number: string) => {
      const isPart = kind.toLowerCase() === "part";
      const origin = isPart ? origins[at] : Number(number) - 1;
      // No step refers to itself or to a later one: such a number is not of the request.
      if (!isPart && Number(number) > (origins[at] ?? 0)) return said;
      const first = origins.indexOf(origin ?? -1);
      const place = isPart ? first + Number(number) - 1 : origins.lastIndexOf(origin ?? -1);
      return first < 0 ? said : `result of step ${place + 1}`;
    }),
  );
}

/** For each step, which original step it is or is a part of; undefined when they do not line up. */
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
