import type { Plan, PlanReference, PlanValue } from "../../plans/steps/plan.js";
import { isPlainObject, textOf } from "../../plans/steps/references.js";
import type { GoldCall, Task } from "./benchmark.js";
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

/** `$var1$` or `$var1.hotels[0].name$`: the output of the call with that label, or a part of it. */
const REFERENCE = /\$([A-Za-z_]\w*)((?:\.\w+|\[\d+\])*)\$/g;

const PATH_PART = /\.(\w+)|\[(\d+)\]/g;

/**
 * Gold calls as a plan, if the origin labels their outputs and refers to the labels in later arguments (NESTFUL);
 * otherwise undefined.
 */
export function nestedPlan(calls: readonly CallRow[]): Plan | undefined {
  const positions = new Map(
    calls.flatMap(({ label }, at) => (label ? [[label, at] as const] : [])),
  );
  if (positions.size === 0) return undefined;
  const steps = calls.map(({ tool, args = {} }) => {
    const value = withReferences(args as PlanValue, positions);
    return isPlainObject(value) ? { tool, args: value } : undefined;
  });
  const named = steps.filter((step) => step !== undefined);
  return named.length === steps.length ? { steps: named, answer: "" } : undefined;
}

function withReferences(value: PlanValue, positions: ReadonlyMap<string, number>): PlanValue {
  if (typeof value === "string") return textOf(partsOf(value, positions));
  if (Array.isArray(value)) return value.map((item) => withReferences(item, positions));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, withReferences(inner, positions)]),
  );
}

/** Amounts in dollars also put text between two `$`: only labels of calls count. */
function partsOf(text: string, positions: ReadonlyMap<string, number>): (string | PlanReference)[] {
  const parts: (string | PlanReference)[] = [];
  let end = 0;
  for (const { 0: whole, 1: label = "", 2: path = "", index } of text.matchAll(REFERENCE)) {
    const $prev = positions.get(label);
    if ($prev === undefined) continue;
    parts.push(text.slice(end, index), { $prev, path: pathOf(path) });
    end = index + whole.length;
  }
  return [...parts, text.slice(end)].filter((part) => part !== "");
}

function pathOf(path: string): PlanReference["path"] {
  return [...path.matchAll(PATH_PART)].map(([, name, position]) => name ?? Number(position));
}
