import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { several } from "../../common/bounds.js";
import { InvalidSetting } from "../../common/errors.js";
import { compareLock, type Lock, lockOf, readLock } from "../../workspace/lockFile.js";
import { openWorkspace } from "../../workspace/workspace.js";
import { EXIT } from "../exit.js";
import { printJson } from "../printing/print.js";

/** Options of `tools lock` and `tools verify`. */
export interface LockOptions {
  file: string;
  json?: boolean;
}

/** `tools lock`: writes the accepted definitions to a file. */
export async function writeLock({ file, json }: LockOptions): Promise<void> {
  const lock = await lockOf(openWorkspace().store);
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
  if (json) return printJson({ file, ...lock });
  const origins = Object.values(lock.libraries).flatMap((each) => Object.values(each));
  const tools = origins.reduce((sum, each) => sum + Object.keys(each).length, 0);
  const sources = several(origins.length, "source");
  process.stdout.write(`${file}: ${several(tools, "tool")} of ${sources}\n`);
}

/** `tools verify`: prints a line for each difference; exit code 1 if there is any. */
export async function verifyLock(options: LockOptions & { live?: boolean }): Promise<number> {
  const { file, live, json } = options;
  const lock = lockFrom(file);
  const differences = await compareLock({ store: openWorkspace().store, lock, live });
  if (json) printJson({ file, differences });
  else {
    for (const { library, origin, id, problem } of differences) {
      process.stdout.write(`library ${library}: ${id ?? origin} ${problem}\n`);
    }
    if (differences.length === 0)
      process.stdout.write(`${file}: everything is as it was accepted\n`);
  }
  return differences.length > 0 ? EXIT.notSolved : EXIT.done;
}

function lockFrom(file: string): Lock {
  if (existsSync(file)) return readLock(file, readFileSync(file, "utf8"));
  throw new InvalidSetting({
    setting: `lock ${file}`,
    problem: "there is no such file",
    hint: "Write it with: tulipgraph tools lock",
  });
}
