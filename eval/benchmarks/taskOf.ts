import type { GoldCall, Task } from "./benchmark.js";
import { nestedPlan } from "./nestedPlan.js";
import type { CallRow, TaskRow } from "./taskRows.js";

/** Level of the tasks of a benchmark that tells neither levels nor parts apart. */
const ONE_LEVEL = "all";

/** A task in the form that runs and scorers know. */
export function taskOf(row: TaskRow): Task {
  const { id, query, split, candidates } = row;
  const called = row.calls ?? callsOfTurns(row);
  const calls = called && goldCalls(called);
  const plan = called && nestedPlan(called);
  return {
    id,
    query,
    tools: usedTools(row, called),
    ...(calls ? { calls } : {}),
    ...(plan ? { plan } : {}),
    ...(row.answer ? { answers: row.answer } : {}),
    level: row.level ?? row.split ?? ONE_LEVEL,
    ...(split === undefined ? {} : { split }),
    ...(candidates ? { candidates } : {}),
    ...(row.state_diff ? { stateDiff: row.state_diff } : {}),
  };
}

/**
 * The calls of a conversation whose requests are put as one query. Only where each turn asks for
 * something and is answered by calls: where a turn withholds a tool or a value until a later one, the
 * query as a whole is another task than the conversation.
 */
function callsOfTurns({ turns }: TaskRow): CallRow[] | undefined {
  const isPlain = turns?.every(({ user, calls }) => user.trim() !== "" && calls.length > 0);
  return isPlain ? turns?.flatMap(({ calls }) => calls) : undefined;
}

/**
 * Undefined where the origin has the arguments of a call as a text with gaps and not as an object:
 * such calls cannot be compared with others.
 */
function goldCalls(called: readonly CallRow[]): GoldCall[] | undefined {
  const calls: GoldCall[] = [];
  for (const { tool, args = {} } of called) {
    if (typeof args !== "object" || args === null || Array.isArray(args)) return undefined;
    calls.push({ tool, args: args as GoldCall["args"] });
  }
  return calls;
}

/** As often as they are called, where that is known; origins list each tool once. */
function usedTools({ tools, path }: TaskRow, called: readonly CallRow[] | undefined): string[] {
  const inOrder = called?.map(({ tool }) => tool) ?? path;
  const isAll = inOrder && new Set([...inOrder, ...tools]).size === new Set(inOrder).size;
  return isAll ? inOrder : tools;
}
