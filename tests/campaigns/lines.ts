import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ChatBody, Completion } from "../fakes/chatEndpoint.js";

/** Tools that read and write lines. A write first notes in a second file that it has begun. */
function toolsWith(pauseMs: number | string): string {
  return `
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Read all lines of a file.
 *
 * @param file - The file.
 * @name read_lines
 * @effects read
 */
export async function readLines(file: string): Promise<string> {
  await sleep(${pauseMs});
  return existsSync(file) ? readFileSync(file, "utf8") : "";
}

/**
 * Write a line to the end of a file.
 *
 * @param file - The file.
 * @param line - The line.
 * @name write_line
 */
export async function writeLine(file: string, line: string): Promise<string> {
  appendFileSync(file + ".begun", line + "\\n");
  await sleep(${pauseMs});
  appendFileSync(file, line + "\\n");
  await sleep(${pauseMs});
  return line;
}
`;
}

/**
 * Writes the file of the tools.
 *
 * @param options.pauseMs before and after what they do: milliseconds, or an expression over their `file`
 */
export function writeTools(folder: string, options: { pauseMs: number | string }): string {
  const file = join(folder, "tools.ts");
  writeFileSync(file, toolsWith(options.pauseMs));
  return file;
}

/** The request of a run, which writes to a file of its own. */
export function requestOf(thread: string): string {
  return `Read and write lines: ${thread}`;
}

/** The thread of the run that asks. */
export function threadIn({ messages = [] }: ChatBody): string {
  return /Read and write lines: ([\w-]+)/.exec(JSON.stringify(messages))?.[1] ?? "";
}

/** The file that a run writes to. */
export function fileOf({ folder, thread }: { folder: string; thread: string }): string {
  return join(folder, `${thread}.txt`);
}

export function linesOf(file: string): string[] {
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** A call of a run's script: "read", or the line to write. */
function callOf(word: string, file: string): { tool: string; args: Record<string, string> } {
  return word === "read"
    ? { tool: "read_lines", args: { file } }
    : { tool: "write_line", args: { file, line: word } };
}

/**
 * The calls that are due after those that have answers, with new ids each time; `stop` at the end.
 *
 * @param options.steps the messages of a run: words for {@link callOf}, of which some are called at once
 */
export function nextCalls(options: {
  steps: readonly (readonly string[])[];
  body: ChatBody;
  file: string;
}): Completion {
  const { steps, body, file } = options;
  const answered = (body.messages ?? []).filter(({ role }) => role === "tool").length;
  let before = 0;
  const due = steps.find((step) => (before += step.length) > answered);
  if (due === undefined) return stopping();
  return {
    calls: due.map((word) => {
      const { tool: name, args } = callOf(word, file);
      return { id: randomUUID(), name, arguments: args };
    }),
  };
}

/** Ends a run. */
export function stopping(): Completion {
  const args = { message: "Done.", solved: true };
  return { calls: [{ id: randomUUID(), name: "stop", arguments: args }] };
}

/** What a person who looks into the file answers to questions whether lines were written. */
export function answersTo(text: string, file: string): { made: boolean }[] {
  const asked = text.matchAll(/Was write_line .*?"line":"(\w+)".*? made\?/gs);
  return Array.from(asked, ([, line = ""]) => ({ made: linesOf(file).includes(line) }));
}
