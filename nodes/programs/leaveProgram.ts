import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";

/** How the ids of calls begin that a program has come to. */
export const PROGRAM_CALL = "prog_";

/** Ends the following of a program where it is; what was done stays done. */
export function leaveProgram(program: ProgramState, reason: string): Pick<StateUpdate, "program"> {
  return { program: { ...program, next: "run", left: reason } };
}

/** Whether a call was made for the program of the run. */
export function isOfProgram({ program }: Pick<GraphState, "program">, id: string): boolean {
  if (!program) return false;
  return [program.callIds, program.aheadIds].some((ids) => Object.values(ids).includes(id));
}
