import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type ChatBody,
  type ChatEndpoint,
  type Completion,
  startChatEndpoint,
} from "../../../tests/fakes/chatEndpoint.js";

const TOOLS = `
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
  await sleep(10);
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
  await sleep(10);
  appendFileSync(file, line + "\\n");
  await sleep(10);
  return line;
}
`;

/** The messages of a run: reads and writes, of which some are made at once. */
const STEPS: readonly string[][] = [["one"], ["read", "two"], ["three", "four"]];

/** The settings of a run, beside its model. */
export const LINES = { library: "lines", embeddings: "local:sentence-encoder" } as const;

/** Writes the file of tools that read and write lines. */
export function writeTools(folder: string): string {
  const file = join(folder, "tools.ts");
  writeFileSync(file, TOOLS);
  return file;
}

/** The request of a run that writes to a file of its own. */
export function requestOf(thread: string): string {
  return `Read and write lines: ${thread}`;
}

export function linesOf({ folder, thread }: { folder: string; thread: string }): string[] {
  const file = join(folder, `${thread}.txt`);
  return existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
}

/** A model that asks for the calls which are due after those that have answers, with new ids each time. */
export async function startLinesModel({
  folder,
  delayMs,
}: {
  folder: string;
  delayMs: number;
}): Promise<ChatEndpoint> {
  return await startChatEndpoint(async ({ body }) => {
    await new Promise((done) => setTimeout(done, delayMs));
    return reply({ body, folder });
  });
}

function reply({ body, folder }: { body: ChatBody; folder: string }): Completion {
  const { messages = [] } = body;
  const thread = /Read and write lines: ([\w-]+)/.exec(JSON.stringify(messages))?.[1] ?? "";
  const file = join(folder, `${thread}.txt`);
  const answered = messages.filter(({ role }) => role === "tool").length;
  let before = 0;
  const due = STEPS.find((step) => (before += step.length) > answered);
  if (due === undefined) {
    const args = { message: "Done.", solved: true };
    return { calls: [{ id: randomUUID(), name: "stop", arguments: args }] };
  }
  return {
    calls: due.map((word) => ({
      id: randomUUID(),
      name: word === "read" ? "read_lines" : "write_line",
      arguments: word === "read" ? { file } : { file, line: word },
    })),
  };
}
