import { randomUUID } from "node:crypto";
import { several } from "../../common/text.js";
import { parseSettings } from "../../state/settings.js";
import { LOCAL } from "../../tools/remote.js";
import type { ToolRecord } from "../../tools/tool.js";
import { openWorkspace } from "../../home/workspace.js";
import { whileWorking } from "../printing/longWork.js";
import { openLibrary } from "../tools/openLibrary.js";

/** Most tools that are called, and how long each may take, in milliseconds. */
const MOST = 50;
const PATIENCE_MS = 10_000;

/** Tells on stderr what {@link tryReads} has done: stdout has what was imported. */
export async function printTryReads({ source, library }: { source: string; library: string }) {
  process.stderr.write(`${await tryReads(source, library)}\n`);
}

/**
 * Calls each tool of a source once that only reads, needs no arguments and declares no result, so that models are told
 * what it returns. A failure teaches nothing and is no fault of the import.
 *
 * @returns what was done, in a line
 */
async function tryReads(source: string, library: string): Promise<string> {
  const settings = parseSettings({ library });
  const opened = await openLibrary(settings);
  const tools = opened.list().filter((tool) => isOf(tool, source) && mayTry(tool));
  const { runtime } = openWorkspace();
  const threadId = `import-${randomUUID()}`;
  const calls = tools.slice(0, MOST).map((tool, at) => ({ id: `${at}`, tool, args: {} }));
  const outcomes = await whileWorking(`reading once with ${several(calls.length, "tool")}`, () =>
    runtime.runCalls({ threadId, behalf: LOCAL, calls, timeoutMs: PATIENCE_MS }),
  );
  await runtime.journal.forget([threadId]);
  const done = outcomes.filter(({ status }) => status === "done").length;
  return `read once with ${done} of ${several(calls.length, "tool")} that need no arguments, to learn what they return`;
}

function isOf({ source }: ToolRecord, name: string): boolean {
  return (
    (source.kind === "mcp" && source.server === name) ||
    (source.kind === "openapi" && source.api === name)
  );
}

function mayTry({ effects, approval, returns, parameters }: ToolRecord): boolean {
  const needed = parameters.required ?? [];
  return effects === "read" && !approval && !returns && needed.length === 0;
}
