import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { UnknownName } from "../errors.js";
import type { Program, ProgramIssue } from "../plans/program/program.js";
import { type Context, readContext } from "../state/context.js";
import type { GraphState, StateUpdate } from "../state/state.js";
import { checkProgramTypes } from "../tools/compiler/index.js";
import type { ToolRecord } from "../tools/tool.js";
import { leaveProgram } from "./leaveProgram.js";
import { functionOf, parametersOf, programFunctions } from "./programFunctions.js";
import { issueLine } from "../plans/program/issueLine.js";
import { toolsAtHand } from "./toolsAtHand.js";

/**
 * Checks the program of a run against its tools: that there are all of them, and that what they take and give
 * is used as they declare it. What it finds goes back to the model as a compiler says it, so often as the run
 * allows; a program with faults that were not mended is not begun.
 */
export async function checkProgram(
  state: GraphState,
  config: LangGraphRunnableConfig,
): Promise<StateUpdate> {
  const { program } = state;
  if (!program) return {};
  const context = readContext(config);
  const { issues } = await programIssues({ code: program.code, state, context, config });
  if (issues.length === 0) return { program: { ...program, issues } };
  const [first] = issues;
  if (first && program.cues.length >= context.maxReflections) {
    const reason = `it has a fault that was not mended: ${issueLine(first)}`;
    return leaveProgram({ ...program, issues }, reason);
  }
  return { program: { ...program, issues, cues: [...program.cues, ""] } };
}

/** A program as it is read, and what keeps it from being followed with the tools that there are. */
export async function programIssues(options: {
  code: string;
  state: GraphState;
  context: Context;
  config: LangGraphRunnableConfig;
}): Promise<{ program?: Program; issues: ProgramIssue[] }> {
  const { code, state, context, config } = options;
  const { readProgram } = await import("../plans/program/readProgram.js");
  const { offered, forbidden } = await toolsAtHand({ state, context });
  const functions = programFunctions(new Map([...offered, ...forbidden]));
  const read = readProgram(code, { functions: parametersOf(functions) });
  if ("issues" in read) return { issues: read.issues };
  const { program } = read;
  const unknown = unknownFunctions(program, functions);
  if (unknown.length > 0) return { program, issues: unknown };
  const called = calledFunctions(program, functions);
  const issues = await checkProgramTypes({ program, functions: called, signal: config.signal });
  return { program, issues };
}

function unknownFunctions(
  { calls }: Program,
  functions: ReadonlyMap<string, ToolRecord>,
): ProgramIssue[] {
  const available = [...functions.keys()];
  const unknown = calls.filter(({ name }) => !functionOf(name, functions));
  return unknown.map(({ name, line }) => ({
    line,
    kind: "unknown",
    problem: `${new UnknownName({ kind: "function", wanted: name, available }).message}; no tool was found for it: call one that is declared, or say need("…")`,
  }));
}

/** The tools that a program calls, under the names by which it does. */
function calledFunctions({ calls }: Program, functions: ReadonlyMap<string, ToolRecord>) {
  const called = new Map(
    calls.flatMap(({ name }): [string, ToolRecord][] => {
      const tool = functionOf(name, functions);
      return tool ? [[name, tool]] : [];
    }),
  );
  return [...called].map(([name, { parameters, returns }]) => ({
    name,
    parameters,
    ...(returns ? { returns } : {}),
  }));
}
