import type { ShownRun } from "../routes/watchedRun.js";

type Words = Record<string, [words: string, kind: string]>;

const OUTCOMES: Words = {
  solved: ["Solved", "good"],
  answered: ["Answered", "good"],
  planned: ["Planned", "good"],
  unsolved: ["Unsolved", "bad"],
  limit: ["Stopped at a limit", "bad"],
  budget: ["Over budget", "bad"],
  error: ["Failed", "bad"],
};

const STATES: Words = {
  pending: ["Queued", ""],
  running: ["Running", "live"],
  success: ["Finished", ""],
  error: ["Failed", "bad"],
  timeout: ["Timed out", "bad"],
  interrupted: ["Stopped", ""],
};

/** How a run stands: its outcome, and only without one the state of its process. */
export function badgeOf(run: Pick<ShownRun, "status" | "waits" | "outcome">) {
  const { status, waits, outcome } = run;
  if (waits) return { words: "Waiting for you", kind: "wait" };
  const isEnded = status === "success" ? OUTCOMES[outcome] : undefined;
  const [words, kind] = isEnded ?? STATES[status] ?? [status, ""];
  return { words, kind };
}

export function RunBadge({ run }: { run: Pick<ShownRun, "status" | "waits" | "outcome"> }) {
  const { words, kind } = badgeOf(run);
  return <span className={`badge ${kind}`}>{words}</span>;
}

/** Whether a run is still at work. */
export function isOpen({ status }: Pick<ShownRun, "status">): boolean {
  return status === "pending" || status === "running";
}
