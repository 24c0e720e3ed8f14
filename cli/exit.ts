import { readFileSync } from "node:fs";
import type { Status } from "../state/state.js";

/** How a run ended or stopped: `waiting` for a person, `cancelled` by Ctrl-C. */
export type RunStatus = Status | "waiting" | "cancelled";

export const EXIT = { done: 0, notSolved: 1, usage: 2, waiting: 3, cancelled: 130 } as const;

/** To `cli/start.ts` alone: what was asked for is not in its one file, and nothing was done. */
export const NOT_IN_FILE = -1;

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
export async function untilCancelled<Result>(work: (signal: AbortSignal) => Promise<Result>) {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", cancel);
  }
}

/** How long this process may take to end, in milliseconds; what it still holds is then left to others. */
const ENDING_MS = 30_000;

/** How often this process looks whether the one that started it is still there, in milliseconds. */
const LOOK_MS = 1_000;

/**
 * Waits until this process is told to end: by a signal, of which a second one ends it at once, or because `npx` or
 * `npm`, which started it, is gone. After that it has {@link ENDING_MS}.
 */
export async function untilToldToEnd(): Promise<void> {
  await new Promise<void>((told) => {
    let isTold = false;
    const stop = () => {
      if (!isTold) setTimeout(() => process.exit(1), ENDING_MS).unref();
      isTold = true;
      told();
    };
    for (const signal of ["SIGINT", "SIGTERM"] as const)
      process.on(signal, () => (isTold ? process.exit(130) : stop()));
    whenStarterIsGone(stop);
  });
}

/**
 * Calls back once npm is gone, or the shell between it and this process: neither passes signals on, so without this a
 * server would stay on its port. One with a session of its own (`setsid`) is to stay.
 */
function whenStarterIsGone(call: () => void): void {
  const hasOwnSession = statOf(process.pid)?.session === process.pid;
  if (process.env["npm_execpath"] === undefined || hasOwnSession) return;
  const before = starters();
  const looking = setInterval(() => {
    if (starters() === before) return;
    clearInterval(looking);
    call();
  }, LOOK_MS);
  looking.unref();
}

const SHELL = /^(?:sh|ash|bash|dash|busybox)$/;

/** The ids of the parent and, behind a shell, of its parent. */
function starters(): string {
  const { ppid } = process;
  const parent = statOf(ppid);
  return parent && SHELL.test(parent.name) ? `${ppid} ${parent.ppid}` : `${ppid}`;
}

/** What Linux says of a process; undefined elsewhere. */
function statOf(pid: number): { name: string; ppid: number; session: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", rest = ""] = /^\d+ \((.*)\) (.*)/s.exec(stat) ?? [];
    const [, ppid, , session] = rest.split(" ").map(Number);
    return { name, ppid: ppid ?? 0, session: session ?? 0 };
  } catch {
    return undefined;
  }
}
