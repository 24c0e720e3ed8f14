import { readFileSync } from "node:fs";

/** A process of this machine, as recorded for others. */
export interface ProcessMark {
  pid: number;
  /** Distinguishes it from other processes with the same id. */
  start: number;
}

/** This process. */
export const THIS_PROCESS: ProcessMark = {
  pid: process.pid,
  start: statOf(process.pid)?.start ?? Math.round(performance.timeOrigin),
};

/**
 * Whether a process of this machine still runs; a stopped one does. Undefined if a process has this id but its
 * start time is unknown.
 */
export function isRunning({ pid, start }: ProcessMark): boolean | undefined {
  // A restarted container often gives the new process the old id.
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
    // EPERM: it exists but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** What Linux reports about a process: its start, and whether it has ended but its parent has not noticed. */
function statOf(pid: number): { start: number; hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program's name comes first and may contain anything, even brackets and blanks.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { start: Number(fields[19]), hasEnded: ["Z", "X"].includes(fields[0] ?? "") };
  } catch {
    return undefined;
  }
}
