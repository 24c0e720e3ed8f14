import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../../scripts/setup/lock.mjs";
import { temporaryFolder } from "./workplace.js";

const LOCK_MODULE = new URL("../../scripts/setup/lock.mjs", import.meta.url).href;
/** Above every process id that Linux and macOS assign. */
const NO_SUCH_PROCESS = 2 ** 30;

/** Takes the lock in its own process and records when it begins and ends its work. */
async function workInChild(folder: string, notes: string): Promise<void> {
  const script = `
    import { appendFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    import { acquireLock } from ${JSON.stringify(LOCK_MODULE)};
    const { release } = await acquireLock(process.argv[1]);
    appendFileSync(process.argv[2], "begin ");
    await setTimeout(60);
    appendFileSync(process.argv[2], "end ");
    release();
  `;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, folder, notes]);
}

function leaveLock(folder: string, holder: object): void {
  mkdirSync(folder);
  leaveNote(folder, holder);
}

function leaveNote(folder: string, holder: object): void {
  writeFileSync(join(folder, "holder"), JSON.stringify(holder));
}

function lockPath(): string {
  return join(temporaryFolder(), "setup.lock");
}

/** Whether the lock is free at once, with some allowance for a slow machine. */
async function isHadSoon(folder: string): Promise<boolean> {
  const held = acquireLock(folder).then(({ release }) => {
    release();
    return true;
  });
  return Promise.race([held, sleep(700, false)]);
}

describe("the lock", () => {
  it("lets one process work at a time", async () => {
    const folder = lockPath();
    const notes = `${folder}.notes`;
    await Promise.all(Array.from({ length: 4 }, () => workInChild(folder, notes)));
    expect(readFileSync(notes, "utf8")).toBe("begin end ".repeat(4));
    expect(existsSync(folder)).toBe(false);
  });

  it("is taken over by one process alone when its holder is gone", async () => {
    const folder = lockPath();
    leaveLock(folder, { host: hostname(), pid: NO_SUCH_PROCESS });
    const notes = `${folder}.notes`;
    await Promise.all(Array.from({ length: 4 }, () => workInChild(folder, notes)));
    expect(readFileSync(notes, "utf8")).toBe("begin end ".repeat(4));
  });

  it("is taken over from a silent holder whose process id another process has got", async () => {
    const folder = lockPath();
    leaveLock(folder, { host: hostname(), pid: process.pid });
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(folder, aMinuteAgo, aMinuteAgo);
    expect(await isHadSoon(folder)).toBe(true);
  });

  it("is waited for while its holder lives", async () => {
    const folder = lockPath();
    leaveLock(folder, { host: hostname(), pid: process.ppid });
    expect(await isHadSoon(folder)).toBe(false);
    utimesSync(folder, 0, 0);
  });

  it("is waited for while a command of its dead holder still works", async () => {
    const folder = lockPath();
    leaveLock(folder, { host: hostname(), pid: NO_SUCH_PROCESS, command: process.ppid });
    expect(await isHadSoon(folder)).toBe(false);
    leaveNote(folder, { host: hostname(), pid: NO_SUCH_PROCESS, command: NO_SUCH_PROCESS });
    expect(await isHadSoon(folder)).toBe(true);
  });

  it("of another machine counts by its heartbeat alone", async () => {
    const folder = lockPath();
    leaveLock(folder, { host: `not-${hostname()}`, pid: NO_SUCH_PROCESS });
    expect(await isHadSoon(folder)).toBe(false);
    const aMinuteAgo = Date.now() / 1000 - 60;
    utimesSync(folder, aMinuteAgo, aMinuteAgo);
    expect(await isHadSoon(folder)).toBe(true);
  });

  it("that was never signed is taken over once it is old", async () => {
    const folder = lockPath();
    mkdirSync(folder);
    expect(await isHadSoon(folder)).toBe(false);
    utimesSync(folder, 0, 0);
    expect(await isHadSoon(folder)).toBe(true);
  });
});
