import type { Status } from "../state/state.js";

/** How a run ended or stopped: `waiting` for a person, `cancelled` by Ctrl-C. */
export type RunStatus = Status | "waiting" | "cancelled";

export const EXIT = { done: 0, notSolved: 1, usage: 2, waiting: 3, cancelled: 130 } as const;

/** Sets the exit code of the program. */
export type Exit = (code: number) => void;

/**
 * The exit code of a run. `planned` is a success: a graph that only plans made a plan that passed its check.
 * `answered` is none, as nothing was done: whatever a script does next must not build on it.
 */
export function exitCodeOf(status: RunStatus): number {
  if (status === "solved" || status === "planned") return EXIT.done;
  if (status === "waiting" || status === "cancelled") return EXIT[status];
  return EXIT.notSolved;
}

/** Does work that Ctrl-C cancels through the signal. */
export async function untilCancelled<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", cancel);
  }
}
