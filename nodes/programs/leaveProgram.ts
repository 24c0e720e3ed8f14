import { oneLine } from "../../common/errors.js";
import type { GraphState, ProgramState, StateUpdate } from "../../state/state.js";
import type { StageChange } from "../shared/stage.js";

/** Prefix of the ids of a program's calls. */
export const PROGRAM_CALL = "prog_";

/** Abandons a program where it is; what was done stays done. */
export function leaveProgram(program: ProgramState, reason: string): Pick<StateUpdate, "program"> {
  return { program: { ...program, next: "run", left: reason } };
}

/** Whether a call was made for the run's program. */
export function isOfProgram({ program }: Pick<GraphState, "program">, id: string): boolean {
  if (!program) return false;
  return [program.callIds, program.aheadIds].some((ids) => Object.values(ids).includes(id));
}

/** How a program ends; its calls are reported when made. */
export function endLines({ change, before }: StageChange): string[] {
  if (change.answer) return ["answers"];
  const left = change.program?.left;
  return left && !before.program?.left ? [`leaves the program: ${oneLine(left)}`] : [];
}
