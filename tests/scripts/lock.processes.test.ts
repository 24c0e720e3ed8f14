import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { acquireLock } from "../../scripts/setup/lock.mjs";
import { temporaryFolder } from "./workplace.js";

const LOCK_MODULE = new URL("../../scripts/setup/lock.mjs", import.meta.url).href;
/** Takes the lock in its own process and records when it begins and ends its work. */
async function workInChild(folder: string, notes: string): Promise<void> {
  const script = `
    import { appendFileSync } from "node:fs";
    import { setTimeout } from "node:timers/promises";
    import { acquireLock } from ${JSON.stringify(LOCK_MODULE)};
    const release = await acquireLock(process.argv[1]);
    appendFileSync(process.argv[2], "begin ");
    await setTimeout(60);
    appendFileSync(process.argv[2], "end ");
    release();
  `;
  await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script, folder, notes]);
}

function lockPath(): string {
  return join(temporaryFolder(), "setup.lock");
}

describe("the lock", () => {
  it("lets one process work at a time", async () => {
    const folder = lockPath();
    const notes = `${folder}.notes`;
    await Promise.all(Array.from({ length: 4 }, () => workInChild(folder, notes)));
    expect(readFileSync(notes, "utf8")).toBe("begin end ".repeat(4));
    expect(existsSync(folder)).toBe(false);
  });

  it("is waited for while its holder shows that it lives, and then taken over", async () => {
    const folder = lockPath();
    mkdirSync(folder);
    const had = acquireLock(folder).then((release) => {
      release();
      return true;
    });
    expect(await Promise.race([had, sleep(700, false)])).toBe(false);
    utimesSync(folder, 0, 0);
    expect(await had).toBe(true);
  });
});
