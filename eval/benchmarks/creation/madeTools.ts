import { openStoredLibrary } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { parseSettings } from "../../../state/settings.js";
import type { EditRecord } from "../../../state/state.js";
import { checkedDraft } from "../../../tools/sources/made/checkedDraft.js";
import { CONTROL_NAMES } from "../../../tools/control.js";
import type { LibraryEditor } from "../../../tools/library/library.js";
import { PERSON } from "../../../tools/library/records/edits.js";
import { checkText, gotText } from "../../../tools/sources/made/checkText.js";
import type { GeneratedTool, ExampleCheck, ToolRecord } from "../../../tools/tool.js";
import { validateArguments } from "../../../tools/calls/engine/validateArguments.js";
import { readText, sectionsOf } from "../../files.js";
import type { FailedCheck, MadeTools } from "./compareMadeTools.js";
import { CREATION_REQUESTS, type CreationRequest, type HiddenCheck } from "./requests.js";

/** Code of the tools that runs start with, as a model would have written it. */
export const START_TOOLS: Readonly<Record<string, string>> = Object.fromEntries(
  sectionsOf(readText(new URL("./startTools.txt", import.meta.url)), "==="),
);

interface CreationRun {
  threadId: string;
  request: string;
  settings: Record<string, unknown>;
}

/** Gives a thread the tools that its request starts with; a resumed run finds them as it left them. */
export async function beginMadeTools(run: CreationRun): Promise<void> {
  const library = await libraryOf(run);
  for (const name of requestOf(run).start) {
    if (library.history(name).length === 0) await addStartTool(library, name);
  }
}

async function addStartTool(library: LibraryEditor, name: string): Promise<void> {
  const reading = await checkedDraft({
    reply: START_TOOLS[name] ?? "",
    tools: library.list(),
    reserved: CONTROL_NAMES,
  });
  if (!reading.ok) throw new Error(`the start tool ${name}: ${reading.problems[0]?.problem}`);
  const note = { by: PERSON, why: "part of the library that the request begins with" };
  await library.put({ tool: reading.tool, basedOn: null, note });
}

/** Reads what a run has made, and runs the hidden checks of its request on it, in the sandbox and without a trace. */
export async function madeIn(
  run: CreationRun & { edits: EditRecord[]; signal: AbortSignal },
): Promise<MadeTools> {
  const { edits, threadId, signal } = run;
  const library = await libraryOf(run);
  const tool = toolOf(edits, library);
  if (!tool) return { edits, tool: null, passed: 0, failing: [] };
  const { toolTimeoutMs: timeoutMs } = parseSettings(run.settings);
  const { checks } = requestOf(run);
  const failing: FailedCheck[] = [];
  for (const hidden of checks) {
    const problem = await problemOf({ tool, hidden, library, threadId, timeoutMs, signal });
    if (problem) failing.push(problem);
  }
  const { id, source } = tool;
  const made = { id, code: source.code, calls: source.calls };
  return { edits, tool: made, passed: checks.length - failing.length, failing };
}

/** The tool that the last successful edit is about, as the thread has it now. */
function toolOf(edits: readonly EditRecord[], library: LibraryEditor): GeneratedRecord | undefined {
  const { tool } =
    edits.findLast(({ kind, outcome }) => kind !== "delete" && MADE.has(outcome)) ?? {};
  const record = tool === undefined ? undefined : library.get(tool);
  return record?.source.kind === "generated" ? { ...record, source: record.source } : undefined;
}

const MADE: ReadonlySet<EditRecord["outcome"]> = new Set(["done", "reused"]);

async function libraryOf({ threadId, settings }: CreationRun): Promise<LibraryEditor> {
  const context = { ...parseSettings(settings), threadId };
  return await openStoredLibrary({ store: openWorkspace().store, context });
}

function requestOf({ request }: CreationRun): CreationRequest {
  const found = CREATION_REQUESTS.find(({ id }) => id === request);
  if (found) return found;
  throw new Error(`no request for a tool is called "${request}"`);
}

/** A tool of the library that a model wrote. */
type GeneratedRecord = ToolRecord & GeneratedTool;

/** A call that the tool's own schema refuses counts as one that throws. */
async function problemOf(options: {
  tool: GeneratedRecord;
  hidden: HiddenCheck;
  library: LibraryEditor;
  threadId: string;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<FailedCheck | undefined> {
  const { tool, hidden, ...others } = options;
  const names = Object.keys(tool.parameters.properties);
  const check = namedCheck(hidden, names);
  const text = checkText(tool, check);
  if (hidden.args.length > names.length) {
    return { check: text, got: `it takes ${names.length} inputs, not ${hidden.args.length}` };
  }
  const fitting = validateArguments({ record: tool, args: check.args });
  if (!fitting.ok) {
    const isRight = hidden.expects.kind === "throws";
    return isRight ? undefined : { check: text, got: `it refuses the call: ${fitting.problem}` };
  }
  const [outcome] = await openWorkspace().runtime.tryOut({ tool, checks: [check], ...others });
  return outcome && !outcome.passed ? { check: text, got: gotText(outcome.got) } : undefined;
}

/** Names inputs by their order; surplus inputs get a number. */
function namedCheck({ args, expects }: HiddenCheck, names: readonly string[]): ExampleCheck {
  const named = args.map((value, at) => [names[at] ?? `input ${at + 1}`, value] as const);
  return { args: Object.fromEntries(named), expects };
}
