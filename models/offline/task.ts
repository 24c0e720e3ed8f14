import type { ActInput } from "../../nodes/acting/actInput.js";
import { STOP } from "../../tools/control.js";
import { failureOf, resultText, sentence } from "./answer.js";
import { readAfter } from "./clauses.js";
import { followSteps, nextCalls, searchForTools, type StepState } from "./follow.js";
import { readGiven } from "./given.js";
import { splitTask, withoutLabel } from "./splitting.js";
import { unusedBy } from "./leftOut.js";
import type { Reply } from "../prompt.js";
import { readMentions } from "./quantities.js";

/** A task of a tree to solve. */
interface TaskAtHand {
  input: ActInput;
  task: NonNullable<ActInput["task"]>;
}

/** The call that solves a task of a tree, or the one that ends it (Tulip Agent: DfsTulip). */
export async function replyToTask({ input, task }: TaskAtHand): Promise<Reply> {
  const step = await stepOf(task);
  const texts = task.earlierResults.map(({ result }) => result);
  let state = await stateOf({ step, input, earlier: texts.map(valueIn) });
  // If a text does not fit, its only number may be meant.
  if (state.state === "failed") {
    const other = await stateOf({ step, input, earlier: texts.map(numberIn) });
    if (other.state !== "failed") state = other;
  }
  const calls = nextCalls([state]);
  if (calls.length > 0) return { calls };
  const asking = searchForTools({ steps: [step], states: [state] }, input);
  return { calls: asking ?? [stop({ task, state, step, input })] };
}

/** The task as one step, with earlier results as "the result of step n". */
async function stepOf({ text: labelledText, earlierResults }: TaskAtHand["task"]): Promise<string> {
  const text = withoutLabel(labelledText);
  const parts = await splitTask(text, earlierResults.length);
  const [only = text, ...others] = parts;
  const step = others.length === 0 ? only : text;
  if (earlierResults.length === 0 || /\bresults? of step \d/i.test(step)) return step;
  const read = await readAfter({
    task: step,
    earlier: earlierResults.map(({ task }) => withoutLabel(task)),
  });
  return read.length === 1 ? (read[0] ?? step) : step;
}

async function stateOf(options: {
  step: string;
  input: ActInput;
  earlier: unknown[];
}): Promise<StepState> {
  const { step, input, earlier } = options;
  const [state] = await followSteps({ steps: [step], input, earlier });
  return state ?? { state: "waiting" };
}

function stop(options: {
  task: TaskAtHand["task"];
  state: StepState;
  step: string;
  input: ActInput;
}) {
  const { task, state, step, input } = options;
  const asked = readGiven(step).asked;
  const unused = unusedBy({ ...input, request: asked }, [asked]);
  const failure =
    failureOf({ state, step }) ??
    (state.state === "done" && unused.length > 0
      ? `nothing was done with ${unused.join("; ")}`
      : undefined);
  const solved = failure === undefined && state.state === "done";
  const message = solved
    ? told({ result: state.result, isRequest: task.text === input.request })
    : `${withoutLabel(task.text)} could not be done: ${failure ?? "an earlier result is missing"}.`;
  return { name: STOP.name, args: { message, solved } };
}

/** The bare result, for other tasks; for the request itself, a sentence. */
function told({ result, isRequest }: { result: unknown; isRequest: boolean }): string {
  const value = resultText(result).trim() || "(empty)";
  return isRequest ? sentence([{ name: "", value }]) : value;
}

/** A result as data, if it is JSON. */
function valueIn(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Most results are plain text.
    return text;
  }
}

/** The only number in a text, if there is one. */
function numberIn(text: string): unknown {
  const value = valueIn(text);
  if (typeof value !== "string") return value;
  const [only, ...others] = readMentions(value).filter(({ kind }) => kind === "number");
  return only && others.length === 0 ? only.value : value;
}
