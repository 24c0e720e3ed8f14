import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { BenchmarkFailed } from "../../common/errors.js";

/** The interpreter that runs the repository; docs/results.md says what each needs. */
const python = () => process.env["PYTHON"] ?? "python3";

/**
 * Starts a script in the checkout of a benchmark's repository. It keeps this process alive only while it is asked, and ends
 * with it.
 *
 * @returns asks a question in JSON and resolves to the answer
 */
export function openPlayer(options: {
  benchmark: string;
  script: URL;
  folder: string;
  args?: readonly string[];
}) {
  const { benchmark, script, folder, args = [] } = options;
  const child = spawn(python(), [fileURLToPath(script), ...args], { cwd: folder, stdio: "pipe" });
  const parts = [child, ...[child.stdin, child.stdout, child.stderr].map((one) => one as Socket)];
  const waiting: { resolve: (line: string) => void; reject: (error: Error) => void }[] = [];
  let said = "";
  const fail = (why: string) => {
    const problem = `${python()} in ${folder}: ${why}`;
    const hint = "docs/results.md says what it needs; PYTHON=PATH names another interpreter";
    const failure = new BenchmarkFailed({ benchmark, problem, hint });
    for (const { reject } of waiting.splice(0)) reject(failure);
  };
  child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-2000)));
  child.stdin.on("error", ({ message }) => fail(message));
  child.on("error", ({ message }) => fail(message));
  child.on("exit", () => fail(said.trim().split("\n").at(-1) ?? "it ended"));
  createInterface(child.stdout).on("line", (line) => {
    waiting.shift()?.resolve(line);
    if (waiting.length === 0) for (const part of parts) part.unref();
  });
  return async (question: object): Promise<unknown> => {
    for (const part of parts) part.ref();
    const answer = new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }));
    child.stdin.write(`${JSON.stringify(question)}\n`);
    return JSON.parse(await answer) as unknown;
  };
}
