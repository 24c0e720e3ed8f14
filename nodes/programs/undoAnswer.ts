import { oneLine } from "../../common/errors.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import { programCalls } from "./followProgram.js";

/** The end of a program that takes something back. */
export function undoEnd(state: GraphState, program: ProgramState): StateUpdate {
  const { undone, left } = outcomesOf(state, program);
  const { cannot = [], already = [] } = program.undo ?? {};
  const isWhole = cannot.length + left.length === 0 && undone.length + already.length > 0;
  return { program, status: isWhole ? "solved" : "unsolved", answer: undoAnswer(state, program) };
}

/** What was taken back and what was not, from the calls alone. */
export function undoAnswer(state: GraphState, program: ProgramState): string {
  const { undone, left } = outcomesOf(state, program);
  const { cannot = [], already = [] } = program.undo ?? {};
  const told = [
    ["Cannot be undone", cannot],
    ["Taken back", undone],
    ["Already as it was before", already],
    ["Left as it is", left],
  ] as const;
  const texts = told.flatMap(([label, each]) =>
    each.length > 0 ? `${label}: ${each.join("; ")}.` : [],
  );
  return texts.join(" ") || "There is nothing to take back.";
}

/** What became of each write that was to be taken back, in words. */
function outcomesOf(state: GraphState, program: ProgramState) {
  const { undo, skipped, left: reason } = program;
  const made = programCalls(program, state);
  const undone: string[] = [];
  const left: string[] = [];
  for (const [place, { says, doubt }] of Object.entries(undo?.steps ?? {})) {
    const call = made.get(place);
    const error = call?.error;
    if (call && error === undefined) undone.push(says);
    else if (skipped.includes(place)) left.push([says, doubt].filter(Boolean).join(": "));
    else left.push(error === undefined ? says : `${says} (${oneLine(error)})`);
  }
  const isUnsaid = reason !== "" && left.length > 0 && ![...made.values()].some((one) => one.error);
  return { undone, left: isUnsaid ? [...left, oneLine(reason)] : left };
}
