import { readFileSync } from "node:fs";

/** A process of this machine, as it is written down for others. */
export interface ProcessMark {
  pid: number;
  /** What tells it from another that had or gets its id. */
  start: number;
}

/** This process. */
export const THIS_PROCESS: ProcessMark = {
  pid: process.pid,
  start: statOf(process.pid)?.start ?? Math.round(performance.timeOrigin),
};

/**
 * Whether a process of this machine still runs; one that is stopped does. `undefined` where there is one of
 * that id and the machine does not say when it has started.
 */
export function isRunning({ pid, start }: ProcessMark): boolean | undefined {
  // A container that starts again often gives the new process the old one's id.
  if (pid === THIS_PROCESS.pid) return start === THIS_PROCESS.start;
  if (!exists(pid)) return false;
  const stat = statOf(pid);
  return stat && !stat.hasEnded && stat.start === start;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, and it belongs to somebody else.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** What Linux says of a process: when it has started, and whether its parent has yet to notice its end. */
function statOf(pid: number): { start: number; hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name before it may hold anything, brackets and blanks too.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { start: Number(fields[19]), hasEnded: ["Z", "X"].includes(fields[0] ?? "") };
  } catch {
    return undefined;
  }
}
