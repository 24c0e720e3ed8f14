import type { ActInput } from "../../nodes/acting/actInput.js";
import { DELETE_TOOL, STOP } from "../../tools/control.js";
import { type FinalAnswer, answerFrom } from "./answer.js";
import { type StepState, followSteps, nextCalls, searchFor, searchForSteps } from "./follow.js";
import { unusedBy } from "./leftOut.js";
import type { PlannedCall, Reply } from "../prompt.js";
import { searchPhrases } from "./phrases.js";
import { stepsOf } from "./splitting.js";
import { NO_FITTING_TOOL } from "./stepChoices.js";
import { namePhrases, readWishes, toolsNamed } from "./wishes.js";

/** The answer if a tool would have to be written. */
const CANNOT_WRITE = "The offline planner cannot write code; use a language model with --model.";

/** A refusal: to write a tool takes a language model. */
export async function replyToWriteTool(): Promise<Reply> {
  return { text: CANNOT_WRITE, refusal: true };
}

/** What is known when the planner maintains the library itself. */
interface Keeping {
  input: ActInput;
  keepsLibrary: NonNullable<ActInput["keepsLibrary"]>;
}

/** What to do next, or the outcome. */
type Progress = { calls: PlannedCall[] } | { answer: FinalAnswer };

/**
 * The next step in graphs whose model maintains the library (AutoTulip): searches for the request's tools, follows its
 * steps, and then deletes tools if asked to. It never creates or changes one.
 */
export async function replyToKeeping(keeping: Keeping): Promise<Reply> {
  const { request, earlierTurns } = keeping.input;
  const { writes, deletions, rest } = await readWishes(request, earlierTurns);
  if (writes) return stop({ message: CANNOT_WRITE, solved: false });
  const work = rest ? await workOn(rest, keeping) : undefined;
  if (work && "calls" in work) return work;
  if (deletions.length === 0) return stop(work?.answer ?? NOTHING_ASKED);
  if (work && !work.answer.solved) {
    return stop({ message: `${work.answer.message} So I deleted nothing.`, solved: false });
  }
  const deletion = deleteTools(deletions, keeping);
  if ("calls" in deletion) return deletion;
  const { message, solved } = deletion.answer;
  return stop({ message: work ? `${work.answer.message} ${message}` : message, solved });
}

const NOTHING_ASKED: FinalAnswer = {
  message: "There is nothing to do in this request.",
  solved: false,
};

function stop(answer: FinalAnswer): Reply {
  return { calls: [{ name: STOP.name, args: { ...answer } }] };
}

/** Searches for the tools of all steps, then again for steps that none of the offered tools does. */
async function workOn(request: string, { input, keepsLibrary }: Keeping): Promise<Progress> {
  const steps = await stepsOf(request, input.steps);
  if (deletionsOf(keepsLibrary).length > 0) return { answer: answerOfRecord(steps, input) };
  if (input.tools.length === 0) {
    const search = searchForSteps(steps, input);
    if (search) return { calls: search };
  }
  const states = await followSteps({ steps, input: { ...input, request } });
  const calls = nextCalls(states);
  if (calls.length > 0) return { calls };
  const failed = steps.filter((_, at) => states[at]?.state === "failed");
  const search = searchForSteps(failed, input);
  if (search) return { calls: search };
  const { missed } = input;
  const unused = unusedBy({ ...input, request }, steps);
  const { message, solved } = answerFrom({ steps, states, missed, partial: true, unused });
  const lacksTool = steps.some((step, at) => isWithoutTool({ step, state: states[at], missed }));
  return { answer: { message: lacksTool ? `${message} ${CANNOT_WRITE}` : message, solved } };
}

/** Whether a step failed because there is no tool, not for lack of a value or by a tool's error. */
function isWithoutTool(options: {
  step: string;
  state: StepState | undefined;
  missed: readonly string[];
}): boolean {
  const { step, state, missed } = options;
  if (state?.state !== "failed") return false;
  return (
    state.reason === NO_FITTING_TOOL ||
    searchPhrases(step).every((phrase) => missed.includes(phrase))
  );
}

/** The answer from calls alone, because their tools may have been deleted since. */
function answerOfRecord(steps: readonly string[], { observations }: ActInput): FinalAnswer {
  const states = observations.flatMap(({ tool, result, error }) =>
    error === undefined ? [{ state: "done" as const, result, tool }] : [],
  );
  const isWhole = states.length === steps.length;
  return answerFrom({
    steps: isWhole ? steps : steps.slice(-1),
    states: isWhole ? states : states.slice(-1),
    missed: [],
    partial: true,
    // Without their tools, it is unknown what the calls used.
    unused: [],
  });
}

/** Deletes tools by their names, all or none; the outcome is among the edits. */
function deleteTools(wanted: readonly string[], { input, keepsLibrary }: Keeping): Progress {
  const edits = deletionsOf(keepsLibrary);
  if (edits.length > 0) {
    const message = edits.map((edit) => outcomeText(edit)).join(" ");
    return { answer: { message, solved: edits.every(({ outcome }) => outcome === "done") } };
  }
  const found = wanted.map((one) => toolsNamed(one, input.tools));
  const problems = found.flatMap((one) => ("problem" in one ? [one.problem] : []));
  if (problems.length > 0) {
    const search = searchFor(wanted.flatMap(namePhrases), input);
    if (search) return { calls: search };
    return { answer: { message: problems.join(" "), solved: false } };
  }
  const names = new Set(found.flatMap((one) => ("names" in one ? one.names : [])));
  return {
    calls: [...names].map((tool_name) => ({ name: DELETE_TOOL.name, args: { tool_name } })),
  };
}

type LibraryEdit = Keeping["keepsLibrary"]["edits"][number];

function deletionsOf({ edits }: Keeping["keepsLibrary"]): LibraryEdit[] {
  return edits.filter(({ kind }) => kind === "delete");
}

function outcomeText({ tool, outcome }: LibraryEdit): string {
  if (outcome === "done") return `The tool ${tool} was deleted.`;
  return `The tool ${tool} was not deleted: ${outcome === "rejected" ? "a person has rejected it" : "the change was refused"}.`;
}
