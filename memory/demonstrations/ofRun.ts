import { type Call, type GraphState, type Task, leafSubtasks } from "../../state/state.js";
import type { Demonstration, DemonstrationCall } from "./demonstrationStore.js";
import { hasSucceeded } from "../../state/calls.js";

/** The channels of a run that demonstrations are made from. */
export type DemonstratedRun = Pick<
  GraphState,
  "run" | "answer" | "calls" | "subtasks" | "searches" | "taskTree"
>;

interface Part {
  task: string;
  calls: Call[];
  answer?: string;
}

/**
 * Demonstrations from a run that solved its request (as in TPTU-v2): the request with all its calls, each part
 * with its calls, and the first call of each tool. Failed and refused calls are left out, and so are parts
 * whose calls are uncertain. One call of several is never shown as doing the whole request. A run without calls
 * or without an answer gives nothing.
 *
 * @param options.library the library that the run used
 * @param options.at the time of the run, in milliseconds since 1970
 */
export function demonstrationsOfRun(options: {
  state: DemonstratedRun;
  library: string;
  at: number;
}): Demonstration[] {
  const { state, library, at } = options;
  const calls = state.calls.filter(hasSucceeded);
  if (calls.length === 0 || state.answer.trim() === "") return [];
  const whole: Part = { task: state.run.request, calls, answer: state.answer };
  const all = state.taskTree
    ? partsOfTasks(state.taskTree.tasks, calls)
    : partsOfSubtasks(state, calls);
  const parts = all.filter(({ task }) => !isSameTask(task, whole.task));
  const common = { library, source: "run", at } as const;
  const ofTasks = [whole, ...parts].map(({ task, calls, answer }) => ({
    ...common,
    task,
    calls: calls.map(shownCall),
    ...(answer ? { answer } : {}),
    level: "subtask" as const,
  }));
  const ofOne = calls.length === 1 ? [whole] : [];
  const ofTools = firstCalls([...parts, ...ofOne]).map(({ task, call }) => ({
    ...common,
    task,
    calls: [shownCall(call)],
    level: "tool" as const,
  }));
  return [...ofTasks, ...ofTools];
}

function isSameTask(one: string, other: string): boolean {
  const [said, wanted] = [one, other].map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (said ?? []).join(" ") === (wanted ?? []).join(" ");
}

/** Results too long for the state are not shown. */
function shownCall({ tool, args, result }: Call): DemonstrationCall {
  return { tool, args, ...(result === undefined ? {} : { result }) };
}

/** The first call of each tool, with the smallest part it was made for. */
function firstCalls(parts: readonly Part[]): { task: string; call: Call }[] {
  const first = new Map<string, { task: string; call: Call }>();
  for (const { task, calls } of parts) {
    for (const call of calls) if (!first.has(call.tool)) first.set(call.tool, { task, call });
  }
  return [...first.values()];
}

/** A task of a tree names its calls. */
function partsOfTasks(tasks: readonly Task[], calls: readonly Call[]): Part[] {
  return tasks
    .filter(({ status }) => status === "done")
    .map(({ text, calls: ids, result }) => ({
      task: text,
      calls: calls.filter(({ id }) => ids.includes(id)),
      answer: result,
    }))
    .filter(({ calls }) => calls.length > 0);
}

/**
 * Matches calls to subtasks by the tools found for each, since nothing records which subtask a call was for. If
 * every subtask found the tool of the call at its index, they are paired in order. Otherwise a call belongs to
 * the only subtask that found its tool, and subtasks that share a called tool are left out.
 */
function partsOfSubtasks(state: DemonstratedRun, calls: readonly Call[]): Part[] {
  const leaves = leafSubtasks(state.subtasks).map(({ id, text }) => ({
    text,
    tools: new Set(
      state.searches
        .filter(({ subtask }) => subtask === id)
        .flatMap(({ hits }) => hits.map(({ tool }) => tool)),
    ),
  }));
  const oneByOne =
    leaves.length === calls.length &&
    calls.every(({ tool }, at) => leaves[at]?.tools.has(tool) === true);
  if (oneByOne)
    return leaves.map(({ text }, at) => ({ task: text, calls: calls.slice(at, at + 1) }));
  const finders = (tool: string) => leaves.filter(({ tools }) => tools.has(tool));
  return leaves
    .map((leaf) => ({ task: leaf.text, calls: calls.filter(({ tool }) => leaf.tools.has(tool)) }))
    .filter(
      ({ calls }) => calls.length > 0 && calls.every(({ tool }) => finders(tool).length === 1),
    );
}
