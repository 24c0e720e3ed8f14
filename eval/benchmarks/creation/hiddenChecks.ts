import { openWorkspace } from "../../../nodes/workspace/workspace.js";
import { checkText, gotText } from "../../../tools/made/checkText.js";
import type { GeneratedTool } from "../../../tools/made/draft.js";
import type { ToolLibrary } from "../../../tools/library/library.js";
import { validateArguments } from "../../../tools/runtime/calls/validateArguments.js";
import type { ExampleCheck, ToolRecord } from "../../../tools/tool.js";
import type { HiddenCheck } from "./requests.js";

/** A failed hidden check. */
export interface FailedCheck {
  /** The call and what was expected: `round_significant(5, 0) => throws`. */
  check: string;
  /** The actual result, in words. */
  got: string;
}

/** The result of a tool's hidden checks. */
export interface HiddenOutcome {
  passed: number;
  failing: FailedCheck[];
}

/** A tool of the library that a model wrote. */
export type GeneratedRecord = ToolRecord & GeneratedTool;

/**
 * Calls a tool with the inputs of the hidden checks, in the sandbox and without a trace. A call that the tool's own
 * schema refuses counts as one that throws.
 */
export async function runHiddenChecks(options: {
  tool: GeneratedRecord;
  checks: readonly HiddenCheck[];
  library: ToolLibrary;
  threadId: string;
  timeoutMs: number;
  signal: AbortSignal;
}): Promise<HiddenOutcome> {
  const { tool, checks, ...others } = options;
  const failing: FailedCheck[] = [];
  for (const hidden of checks) {
    const problem = await problemOf({ tool, hidden, ...others });
    if (problem) failing.push(problem);
  }
  return { passed: checks.length - failing.length, failing };
}

async function problemOf(options: {
  tool: GeneratedRecord;
  hidden: HiddenCheck;
  library: ToolLibrary;
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
