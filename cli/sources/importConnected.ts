import { randomUUID } from "node:crypto";
import { several } from "../../common/text.js";
import { syncConnected } from "../../home/connectedSources.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { type ConnectedSource, LOCAL } from "../../tools/remote.js";
import type { SourceReading, ToolRecord } from "../../tools/tool.js";
import { whileWorking } from "../printing/longWork.js";
import { tell } from "../printing/print.js";
import { type CommonOptions, openLibrary } from "../tools/openLibrary.js";
import { printProblems, requireWay } from "./importFile.js";

/** Options of an import from a connected source. */
export interface ConnectedOptions extends CommonOptions {
  description?: string;
  /** As `takenFrom` reads it. */
  credentials?: string[];
  yes?: boolean;
  trustHints?: boolean;
  tryReads?: boolean;
}

/** Brings what a source lists into a library, and tells what of it cannot be used. */
export async function importConnected(request: {
  source: ConnectedSource;
  listing: SourceReading;
  library: string;
  options: ConnectedOptions;
}) {
  const { source, listing, library, options } = request;
  await requireWay(source);
  const { description, yes: trust, trustHints } = options;
  const { store } = openWorkspace();
  const settings = parseSettings({ library });
  const about = { source, listing, description, trust, trustHints };
  const done = await syncConnected({ store, settings, ...about });
  printProblems(done.problems);
  // On stderr: stdout has what was imported.
  if (options.tryReads) tell(await tryReads(source.name, library));
  return { ...done, source: source.name, library };
}

/** Most tools that are called to learn what they return, and how long each may take, in milliseconds. */
const MOST = 50;
const PATIENCE_MS = 10_000;

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
