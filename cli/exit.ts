import type { Status } from "../state/state.js";

/** How a run ended, or how it was left: `waiting` for a person's approval, `cancelled` with Ctrl-C. */
export type RunStatus = Status | "waiting" | "cancelled";

/** Exit codes of the command line. */
export const EXIT = { done: 0, notSolved: 1, usage: 2, waiting: 3, cancelled: 130 } as const;

/** Tells the program with which code it is to end. */
export type Exit = (code: number) => void;

/**
 * The exit code of a run. A graph that plans and calls nothing has done what it is for with a plan that
 * passed its check.
 */
export function exitCodeOf(status: RunStatus): number {
  if (status === "solved" || status === "planned") return EXIT.done;
  if (status === "waiting" || status === "cancelled") return EXIT[status];
  return EXIT.notSolved;
}
