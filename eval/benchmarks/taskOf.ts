import type { GoldCall, Task } from "./benchmark.js";
import { nestedPlan } from "./nestedPlan.js";
import type { CallRow, TaskRow } from "./taskRows.js";

/** Level of all tasks if a benchmark has neither levels nor parts. */
const ONE_LEVEL = "all";

/** A task in the form that runs and scorers use. */
export function taskOf(row: TaskRow): Task {
  const { id, query, split, candidates } = row;
  const called = row.calls ?? callsOfTurns(row);
  const calls = called && goldCalls(called);
  const plan = called && nestedPlan(called);
  return {
    id,
    query,
    tools: usedTools(row, called),
    ...(row.tool_groups ? { toolGroups: row.tool_groups } : {}),
    ...(calls ? { calls } : {}),
    ...(plan ? { plan } : {}),
    ...(row.answer ? { answers: row.answer } : {}),
    level: row.level ?? row.split ?? ONE_LEVEL,
    ...(split === undefined ? {} : { split }),
    ...(candidates ? { candidates } : {}),
  };
}

/**
 * The calls of a conversation whose requests are put as one query. Only if each turn asks for something and is answered
 * by calls: if a turn withholds a tool or a value until later, the combined query is another task.
 */
function callsOfTurns({ turns }: TaskRow): CallRow[] | undefined {
  const isPlain = turns?.every(({ user, calls }) => user.trim() !== "" && calls.length > 0);
  return isPlain ? turns?.flatMap(({ calls }) => calls) : undefined;
}

/** Undefined if the origin writes arguments as a text with gaps: such calls cannot be compared. */
function goldCalls(called: readonly CallRow[]): GoldCall[] | undefined {
  const calls: GoldCall[] = [];
  for (const { tool, args = {} } of called) {
    if (typeof args !== "object" || args === null || Array.isArray(args)) return undefined;
    calls.push({ tool, args: args as GoldCall["args"] });
  }
  return calls;
}

/** Each tool as often as it is called, if that is known; origins list each tool once. */
function usedTools({ tools, path }: TaskRow, called: readonly CallRow[] | undefined): string[] {
  const inOrder = called?.map(({ tool }) => tool) ?? path;
  const isAll = inOrder && new Set([...inOrder, ...tools]).size === new Set(inOrder).size;
  return isAll ? inOrder : tools;
}
