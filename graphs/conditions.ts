import { AIMessage } from "@langchain/core/messages";
import { branchEnd, taskEnd } from "../nodes/acting/readReply.js";
import { unjudgedCalls } from "../nodes/acting/judge.js";
import { needed } from "../nodes/kit/stage.js";
import { readSettings, MOST_REFLECTIONS } from "../state/settings.js";
import { openCalls, openCallsOf } from "../state/calls.js";
import type { GraphState, TaskStep } from "../state/state.js";
import { type ControlTool, LIBRARY_CONTROLS, SEARCH_LIBRARY } from "../tools/control.js";
import type { Condition } from "./wire.js";

/** A subtask has yet to be searched for, perhaps again in other words. */
export const open: Condition = ({ subtasks }) => subtasks.some(({ status }) => status === "open");

/** A search found no tool for a subtask. */
export const missed: Condition = ({ subtasks }) =>
  subtasks.some(({ status }) => status === "missed");

/** A missed subtask should be split. */
export const focused: Condition = ({ focus }) => focus !== "";

/** Phrases are waiting to be searched for. */
export const queued: Condition = ({ queue }) => queue.length > 0;

/** The last reply has unanswered calls. */
export const calling: Condition = (state) => openCalls(state).calls.length > 0;

/** The unanswered calls include one of this control tool. */
export function callingOn(control: ControlTool): Condition {
  return (state) => openCallsOf(state, control).length > 0;
}

/** The last reply searches for other tools than those on offer, and may. */
export const searching: Condition = (state, config) =>
  readSettings(config).searchWhileActing && openCallsOf(state, SEARCH_LIBRARY).length > 0;

/** The unanswered calls include one that is not for a library control. */
export const callingTools: Condition = (state) =>
  openCalls(state).calls.some(
    ({ name }) => !LIBRARY_CONTROLS.some((control) => control.name === name),
  );

/** The last reply ends its branch of a step search. */
export const branchEnded: Condition = (state) => branchEnd(lastReply(state)) !== undefined;

/** The last reply ends its task of the tree. */
export const taskEnded: Condition = (state) => taskEnd(lastReply(state)) !== undefined;

/** Outcomes of calls should be remembered, and so have to be judged. */
export const remembering: Condition = (_, config) => readSettings(config).remember;

/** Some calls are not judged yet; `judge` handles one at a time. */
export const unjudged: Condition = (state) => unjudgedCalls(state).length > 0;

/** Some calls are to be remembered and not judged yet. */
export const judging: Condition = (state, config) =>
  remembering(state, config) && unjudged(state, config);

/** Something that an earlier run has changed is to be taken back. */
export const undoing: Condition = ({ run, program }) => run.undo !== undefined && !program;

/** The program was abandoned: the rest is done call by call. */
export const left: Condition = (state) => Boolean(programOf(state).left);

/** A program is being followed: after a call it continues with the program, not the model. */
export const following: Condition = ({ program }) => program !== null && !program.left;

/** The program has faults. */
export const faulty: Condition = (state) => programOf(state).issues.length > 0;

/** The plan may be reflected on again. */
export const reflecting: Condition = (state) => planOf(state).cues.length < MOST_REFLECTIONS;

/** The plan was accepted. */
export const accepted: Condition = (state) => planOf(state).accepted;

/** The request was split into tasks, each with its tool. */
export const outlined: Condition = ({ outline }) => outline.length > 0;

/** Some tasks of the outline have no call yet. */
export const uncomposed: Condition = (state) => planOf(state).steps.length < state.outline.length;

/** The program needs a model to read a value from a result. */
export const looking: Condition = ({ program }) => program?.next === "look";

/** The writes of the program need a person's approval. */
export const approving: Condition = ({ program }) => program?.next === "approve";

/** The program has finished and its answer needs wording. */
export const wording: Condition = ({ program }) => program?.next === "word";

/** Two attempts of a step search are due for comparison. */
export const voting: Condition = ({ tree }) => Boolean(tree?.ballot);

/** A step search made calls but reached no answer. */
export const unanswered: Condition = ({ tree, calls }) =>
  tree?.nodes[tree.cursor]?.end !== "answer" && calls.some(({ refused }) => !refused);

/** The next step of the task tree is one of these. */
export function due(...steps: readonly TaskStep[]): Condition {
  return ({ taskTree }) => {
    const { step } = needed(taskTree, { stage: CONDITION, what: "a tree of tasks" });
    return steps.includes(step);
  };
}

export const editing: Condition = ({ edit }) => edit !== null;

export const deleting: Condition = ({ edit }) => edit?.kind === "delete";

function programOf({ program }: GraphState) {
  return needed(program, { stage: CONDITION, what: "a program" });
}

function planOf({ plan }: GraphState) {
  return needed(plan, { stage: CONDITION, what: "a plan" });
}

function lastReply({ messages }: GraphState): AIMessage {
  const last = messages.at(-1);
  return needed(AIMessage.isInstance(last) ? last : null, { stage: CONDITION, what: "a reply" });
}

/** A condition that cannot be decided is a fault of the wiring, not a way to go on. */
const CONDITION = "a condition";
