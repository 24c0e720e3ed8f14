import type { Status } from "../state/state.js";

/** Exit codes of the command line. */
export const EXIT = { done: 0, notSolved: 1, usage: 2, cancelled: 130 } as const;

/** The exit code of a run that ended with this status. */
export function exitCodeOf(status: Status | "cancelled"): number {
  if (status === "solved") return EXIT.done;
  if (status === "cancelled") return EXIT.cancelled;
  return status === "error" ? EXIT.usage : EXIT.notSolved;
}
