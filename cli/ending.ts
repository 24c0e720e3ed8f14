import { readFileSync } from "node:fs";

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
    for (const signal of ["SIGINT", "SIGTERM"] as const) {
      process.on(signal, () => (isTold ? process.exit(130) : stop()));
    }
    whenStarterIsGone(stop);
  });
}

/**
 * Calls back once npm is gone, or the shell between it and this process: neither passes signals on, so without this a
 * server would stay on its port. A process that was set free (`nohup`, `setsid`) is to stay.
 */
function whenStarterIsGone(call: () => void): void {
  if (process.env["npm_execpath"] === undefined || isSetFree()) return;
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

/** Whether this process has a session of its own, or does not end with its terminal. */
function isSetFree(): boolean {
  const [, ignored = "0"] = /^SigIgn:\s*(\w+)$/m.exec(proc("self/status")) ?? [];
  return statOf(process.pid)?.session === process.pid || BigInt(`0x${ignored}`) % 2n === 1n;
}

/** What Linux says of a process; undefined elsewhere. */
function statOf(pid: number): { name: string; ppid: number; session: number } | undefined {
  const [, name = "", rest] = /^\d+ \((.*)\) (.*)/s.exec(proc(`${pid}/stat`)) ?? [];
  const [, ppid, , session] = rest?.split(" ") ?? [];
  return rest === undefined ? undefined : { name, ppid: Number(ppid), session: Number(session) };
}

function proc(file: string): string {
  try {
    return readFileSync(`/proc/${file}`, "utf8");
  } catch {
    return "";
  }
}
