import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync } from "node:fs";

/** The user `nobody`, and how root runs a program as that user. */
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${NOBODY}`, `--regid=${NOBODY}`, "--clear-groups"];

/** Whether these tests may run programs as somebody else, who can use their Node. */
const isPossible =
  process.getuid?.() === 0 &&
  spawnSync("setpriv", [...AS_NOBODY.slice(1), process.execPath, "--version"]).status === 0;

/** A program with its arguments as a user without privileges runs it; as these tests' own user where there is no way. */
export function asOther(program: string, ...args: string[]): [program: string, args: string[]] {
  const [first = program, ...rest] = isPossible
    ? [...AS_NOBODY, program, ...args]
    : [program, ...args];
  return [first, rest];
}

/** Gives a folder to that user. */
export function giveToOther(folder: string): void {
  chmodSync(folder, 0o755);
  if (isPossible) execFileSync("chown", ["-R", `${NOBODY}:${NOBODY}`, folder]);
}
