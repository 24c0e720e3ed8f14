import { fittedArguments } from "../../../plans/steps/fitStep.js";
import { parametersOf, type Program } from "../../../plans/language/program.js";
import {
  type Outcome,
  type PlannedCall,
  type ProgramTool,
  shownValue,
} from "../../../plans/language/progress.js";
import { carryOut, PlanStopped } from "../../../plans/language/saved/carryOut.js";
import { PROGRAM_LIMITS } from "../../../plans/language/run/visit.js";
import { programRead } from "../compiler/programs.js";
import { isUnvouched, unvouchedText } from "../../library/records/effects.js";
import { canonicalJson, sha256 } from "../../library/records/hash.js";
import type {
  RecordedCall,
  RecordedRun,
  ToolDefinition,
  ToolRecord,
  ToolSource,
} from "../../tool.js";
import { resultProblem } from "./schemaCheck.js";
import { sameValue } from "./jsonResult.js";
import { validateArguments } from "./validateArguments.js";

export type SavedPlan = ToolDefinition & { source: ToolSource & { kind: "program" } };

export interface OpenedPlan {
  program: Program;
  tools: ReadonlyMap<string, ToolRecord>;
}

export function isSavedPlan<Tool extends Pick<ToolDefinition, "source">>(
  tool: Tool,
): tool is Tool & Pick<SavedPlan, "source"> {
  return tool.source.kind === "program";
}

/** What a plan relies on in a tool: its arguments, its result and its effects. Descriptions do not count. */
export function contractOf(
  tool: Pick<ToolDefinition, "parameters" | "returns" | "effects" | "approval">,
): string {
  const { parameters, returns, effects, approval = false } = tool;
  return sha256(canonicalJson(withoutTexts({ parameters, returns, effects, approval })));
}

/** A property named "description" has a schema, not a text. */
function withoutTexts(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, inner: unknown) =>
      key === "description" && typeof inner === "string" ? undefined : inner,
    ),
  );
}

/**
 * Reads a saved plan and finds its tools. If a tool has changed since the plan was saved, the plan must pass
 * its test with the present tools.
 *
 * @returns why it cannot run, in one line
 */
export async function openPlan(
  plan: SavedPlan,
  find: (toolId: string) => ToolRecord | undefined,
): Promise<OpenedPlan | { problem: string }> {
  const { calls, test } = plan.source;
  const tools = new Map<string, ToolRecord>();
  for (const { name, tool } of calls) {
    const record = find(tool);
    if (!record) return { problem: `it calls ${tool}, which the library no longer has` };
    tools.set(name, record);
  }
  const program = await readPlan(plan, tools);
  if ("problem" in program) return program;
  const opened = { program, tools };
  const changed = calls.flatMap(({ name, contract }) => {
    const record = tools.get(name);
    return record && contractOf(record) !== contract ? [record] : [];
  });
  if (changed.length === 0) return opened;
  const problem = mayDoMore(plan, changed) ?? (await testProblem(opened, test));
  const names = [...new Set(changed.map(({ id }) => id))].join(", ");
  return problem ? { problem: `${names} has changed since it was saved: ${problem}` } : opened;
}

async function readPlan(
  { source, parameters }: SavedPlan,
  tools: ReadonlyMap<string, ToolRecord>,
): Promise<Program | { problem: string }> {
  const functions = parametersOf(tools);
  const names = Object.keys(parameters.properties);
  const read = await programRead(source.code, { functions, names, isCode: true });
  if ("program" in read) return read.program;
  return { problem: read.issues.map(({ problem }) => problem).join("; ") };
}

/** Why a changed tool may do more than people agreed to when the plan was saved. */
function mayDoMore(plan: SavedPlan, changed: readonly ToolRecord[]): string | undefined {
  const writes = changed.find(({ effects }) => effects === "write");
  if (writes && plan.effects === "read")
    return isUnvouched(writes) ? unvouchedText(writes) : `${writes.id} now writes`;
  const asks = changed.find(({ approval }) => approval);
  if (asks && !plan.approval) return `a person now has to approve each call of ${asks.id}`;
  return undefined;
}

/**
 * Replays the run that a plan was saved from: with the recorded results it must make the same calls in the same
 * order and return the same result. The tools must accept these arguments and declare these results.
 *
 * @returns the first difference, in one line; undefined if there is none
 */
export async function testProblem(
  opened: OpenedPlan,
  test: RecordedRun,
): Promise<string | undefined> {
  const left = [...test.calls];
  const make = async (call: PlannedCall): Promise<Outcome> => {
    const expected = left.shift();
    const tool = toolOf(call, opened);
    const problem = differs({ tool: tool.id, args: fittedArguments(tool, call.args) }, expected);
    if (problem) throw new PlanStopped(`line ${call.line}: ${problem}`);
    return checkedOutcome(expected, tool, call.line);
  };
  try {
    const result = await carryOut({
      ...runOf(opened, test.args, test.today),
      mostCalls: PROGRAM_LIMITS.calls,
      make,
    });
    const [missing] = left;
    if (missing) return `it no longer calls ${missing.tool}`;
    return sameValue(result, test.result)
      ? undefined
      : `it gives ${shownValue(result)} instead of ${shownValue(test.result)}`;
  } catch (error) {
    if (error instanceof PlanStopped) return error.message;
    throw error;
  }
}

export function runOf(opened: OpenedPlan, args: Record<string, unknown>, today: string) {
  return {
    program: opened.program,
    values: new Map(Object.entries(args)),
    today,
    tools: [...opened.tools].map(([name, { id, effects }]): ProgramTool => ({ name, id, effects })),
  };
}

export function toolOf({ tool }: PlannedCall, { tools }: OpenedPlan): ToolRecord {
  const record = tools.get(tool.name);
  if (!record) throw new Error(`The plan calls ${tool.name}, which it was not opened with.`);
  return record;
}

function differs(
  call: Pick<RecordedCall, "tool" | "args">,
  expected: RecordedCall | undefined,
): string | undefined {
  if (!expected) return `it calls ${call.tool} beyond what was recorded`;
  if (call.tool !== expected.tool) return `it calls ${call.tool} instead of ${expected.tool}`;
  if (sameValue(asJson(call.args), asJson(expected.args))) return undefined;
  return `it calls ${call.tool} with ${shownValue(call.args)} instead of ${shownValue(expected.args)}`;
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function checkedOutcome(
  expected: RecordedCall | undefined,
  tool: ToolRecord,
  line: number,
): Outcome {
  const { args, result, error } = expected ?? {};
  if (error !== undefined) return { error };
  const check = validateArguments({ record: tool, args });
  const problem = check.ok ? resultProblem(tool, result) : check.problem;
  if (problem) throw new PlanStopped(`line ${line}: ${tool.id}: ${problem}`);
  return { result };
}
