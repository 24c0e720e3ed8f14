import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WriteStream } from "node:tty";
import { expect, onTestFinished, vi } from "vitest";
import { main } from "../../cli/main.js";
import type { ChildScript } from "../fakes/commandLine.js";
import { programFile } from "../fakes/programs.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

/**
 * What a call of the command line printed, and its exit code. The progress of slow steps, which a
 * busy machine shows and an idle one does not, is left out of `stderr`.
 */
export interface Printed {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Options that choose the small library of the tests. */
export const LIBRARY_OPTIONS = [
  "--library",
  TEST_LIBRARY.library,
  "--set",
  `threshold=${TEST_LIBRARY.threshold}`,
];

/** Unless a test says otherwise, tools are found by counted words, which takes no time. */
function findByWords(): void {
  process.env["TULIPGRAPH_EMBEDDINGS"] ??= TEST_LIBRARY.embeddings;
}

/** Runs the command line in this process and catches what it prints. */
export async function run(...argv: string[]): Promise<Printed> {
  findByWords();
  const caught = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      caught[name] += String(text);
      return true;
    }),
  );
  try {
    const code = await main(argv);
    return { code, stdout: caught.stdout, stderr: withoutProgress(caught.stderr) };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** Like {@link run}, with the parsed output of `--json`; nothing else may be on stdout. */
export async function runJson(...argv: string[]): Promise<Printed & { json: unknown }> {
  const printed = await run(...argv, "--json");
  return { ...printed, json: JSON.parse(printed.stdout) };
}

/** Makes stdout a terminal with this many columns, or a pipe if undefined. */
export function pretendTerminal(columns?: number): void {
  const terminal = Object.create(WriteStream.prototype) as typeof process.stdout;
  Object.assign(terminal, { isTTY: columns !== undefined, columns });
  vi.spyOn(process, "stdout", "get").mockReturnValue(terminal);
  vi.stubEnv("TERM", "xterm-256color");
  for (const name of ["NO_COLOR", "FORCE_COLOR", "NODE_DISABLE_COLORS"])
    vi.stubEnv(name, undefined);
}

/** The explanation of a failure, which must be one line on stderr with nothing on stdout. */
export function errorLine({ code, stdout, stderr }: Printed): string {
  const [line, ...more] = stderr.split("\n");
  expect({ code, stdout, more }).toEqual({ code: 2, stdout: "", more: [""] });
  expect(line).toMatch(/^error: /);
  return line ?? "";
}

/** A folder for the current test, removed after it. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A running command line. */
export interface Child {
  process: ChildProcess;
  /** Resolves when it has ended. */
  ended: Promise<Printed>;
}

/** Starts the command line in its own process, which is ended even if the test fails. */
export function startChild(options: {
  argv: string[];
  env?: Record<string, string>;
  cwd?: string;
}): Child {
  const { argv, env, cwd } = options;
  findByWords();
  const child = spawn(process.execPath, [programFile("tests/fakes/commandLine.ts"), ...argv], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = endOf(child);
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { process: child, ended };
}

async function endOf(child: ChildProcess): Promise<Printed> {
  const printed: Printed = { code: null, stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    // Decoded as a stream: a character may come in two parts.
    child[name]?.setEncoding("utf8").on("data", (part: string) => (printed[name] += part));
  }
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout: printed.stdout, stderr: withoutProgress(printed.stderr) };
}

function withoutProgress(stderr: string): string {
  return stderr.replaceAll(
    /^(?:(?:asking|reading|writing|embedding|indexing the library) .*(?: …|: \d+\.\d s)|embedding: \d+\/\d+ .*)\n/gm,
    "",
  );
}

/** Writes a script for `fake:child` and returns the environment that activates it. */
export function scriptIn(folder: string, script: Omit<ChildScript, "log">) {
  const file = join(folder, "script.json");
  writeFileSync(file, JSON.stringify({ ...script, log: join(folder, "questions.jsonl") }));
  return { TULIPGRAPH_TEST_SCRIPT: file };
}

/** The complete lines of a file whose last line may still be being written; none if there is no file. */
export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}
