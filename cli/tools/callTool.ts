import { randomUUID } from "node:crypto";
import { InvalidSetting, oneLine, messageOf } from "../../common/errors.js";
import { LOCAL } from "../../tools/remote.js";
import type { CallOutcome } from "../../tools/calls/engine/callOutcome.js";
import { validateArguments } from "../../tools/calls/engine/validateArguments.js";
import type { Settings } from "../../state/settings.js";
import type { LibraryView } from "../../tools/library/library.js";
import type { ToolRecord } from "../../tools/tool.js";
import { knowingResults, wholeResult } from "../../nodes/kit/stage.js";
import { openWorkspace } from "../../home/workspace.js";
import { EXIT, untilCancelled } from "../exit.js";
import { type LibraryOptions, libraryContext, openLibrary } from "./openLibrary.js";
import { printJson, printLine, tell } from "../printing/print.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import { holdingThread } from "../runs/threads.js";

export interface CallOptions extends LibraryOptions {
  yes?: boolean;
  /** Milliseconds, in place of what the tool declares. */
  timeout?: number;
}

/** In place of the arguments: read them from stdin. */
const STDIN = "-";

/**
 * `tools call ID JSON`: calls one tool as a run would, with validation, journal, time-out and approval. Each time is a
 * new call, even on a thread that has already made the same one.
 *
 * @param written the arguments as JSON, "-" to read them from stdin, undefined for a tool that takes none
 * @returns the exit code: 1 if the call failed, 3 without consent
 * @throws InvalidSetting for arguments that the tool does not take, before anything runs
 * @throws UnknownName for a tool that the library lacks
 */
export async function callTool(id: string, written: string | undefined, options: CallOptions) {
  const settings = await libraryContext(options);
  const library = await openLibrary(settings);
  const found = library.get(id);
  if (found === undefined) throw absentTool(library, id);
  const { timeout: timeoutMs = found.timeoutMs } = options;
  const tool = timeoutMs === undefined ? found : { ...found, timeoutMs };
  const text = written === STDIN ? await textOfStdin() : (written ?? "{}");
  const args = readArguments(tool, text, library.name);
  if (needsConsent(tool) && !options.yes) {
    if (options.json) printJson({ tool: id, args, status: "waiting" });
    const why = tool.effects === "write" ? "may change data" : "requires approval for each call";
    tell(`${id} ${why}. To call it, add --yes`);
    return EXIT.waiting;
  }
  const threadId = options.thread ?? `call-${randomUUID()}`;
  const outcome = await makeCall({ threadId, tool, args, settings, library });
  return printOutcome(outcome, threadId, options.json);
}

/** Whether a person must consent before a command calls a tool. In a run, the request itself asks for its writes. */
export function needsConsent({ effects, approval }: Pick<ToolRecord, "effects" | "approval">) {
  return effects === "write" || approval === true;
}

async function textOfStdin(): Promise<string> {
  let text = "";
  for await (const part of process.stdin.setEncoding("utf8")) text += String(part);
  return text;
}

/** @throws InvalidSetting with a hint at what the tool takes */
function readArguments(tool: ToolRecord, text: string, library: string): Record<string, unknown> {
  const setting = `arguments of ${tool.id}`;
  const hint = `See what it takes with: tulipgraph tools list ${tool.id} --library ${library}`;
  let args: unknown;
  try {
    args = JSON.parse(text);
  } catch (error) {
    const problem = `are not JSON (${messageOf(error)})`;
    throw new InvalidSetting({ setting, problem, hint });
  }
  const check = validateArguments({ record: tool, args });
  if (check.ok) return args as Record<string, unknown>;
  throw new InvalidSetting({ setting, problem: oneLine(check.problem), hint });
}

/** Makes one call as a run would. */
export async function makeCall(options: {
  threadId: string;
  tool: ToolRecord;
  args: Record<string, unknown>;
  settings: Settings;
  library: LibraryView;
}): Promise<CallOutcome> {
  const { threadId, tool, args, settings, library } = options;
  const [outcome] = await untilCancelled((signal) =>
    holdingThread(threadId, (hold) =>
      openWorkspace().runtime.runCalls({
        threadId,
        hold: hold.token,
        behalf: LOCAL,
        calls: [{ id: randomUUID(), tool, args }],
        timeoutMs: settings.toolTimeoutMs,
        library: { get: (called) => (called === tool.id ? tool : library.get(called)) },
        signal,
      }),
    ),
  );
  if (outcome === undefined) throw new Error("the runtime returned no outcome for its only call");
  return outcome;
}

async function printOutcome(outcome: CallOutcome, threadId: string, json?: boolean) {
  const { id, tool, args, status, error, ms, cost } = outcome;
  const whole = () => knowingResults({ calls: [outcome] }, () => wholeResult(outcome));
  const result = status === "done" ? await whole() : undefined;
  if (json) printJson({ tool, args, status, result, error, ms, cost, threadId, callId: id });
  else if (status !== "done") tell(`${tool}: ${oneLine(error ?? status)}`);
  else if (result === undefined) tell(`${tool}: done, no result`);
  else if (typeof result === "string") printLine(result);
  else printJson(result);
  if (status === "cancelled") return EXIT.cancelled;
  return status === "done" ? EXIT.done : EXIT.notSolved;
}
