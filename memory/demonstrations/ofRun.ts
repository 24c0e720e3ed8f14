import type { Call, GraphState, Task } from "../../state/state.js";
import { leafSubtasks } from "../../state/state.js";
import type { Demonstration, DemonstrationCall } from "./demonstration.js";

/** The channels of a run that its demonstrations are made of. */
export type DemonstratedRun = Pick<
  GraphState,
  "run" | "answer" | "calls" | "subtasks" | "searches" | "taskTree"
>;

/** A piece of a run's work. */
interface Part {
  task: string;
  calls: Call[];
  answer?: string;
}

/**
 * What a run that has solved its request shows (TPTU-v2 takes demonstrations from runs that went well):
 * the request with all its calls, each of its parts with the calls that were made for it, and for each
 * tool its first call. Calls that failed or were refused are left out; a request that took no call, or has no
 * answer, shows nothing. A part is left out where it is not certain which calls were made for it, and a call
 * of several is never shown under the name of the whole request.
 *
 * @param options.library the library that the run has worked with
 * @param options.at the time of the run, in milliseconds since 1970
 */
export function demonstrationsOfRun(options: {
  state: DemonstratedRun;
  library: string;
  at: number;
}): Demonstration[] {
  const { state, library, at } = options;
  const calls = state.calls.filter(succeeded);
  if (calls.length === 0 || state.answer.trim() === "") return [];
  const whole: Part = { task: state.run.request, calls, answer: state.answer };
  const parts = partsOf({ state, calls }).filter(({ task }) => !isSameTask(task, whole.task));
  const common = { library, source: "run", at } as const;
  const ofTasks = [whole, ...parts].map(({ task, calls, answer }) => ({
    ...common,
    task,
    calls: calls.map(shownCall),
    ...(answer ? { answer } : {}),
    level: "subtask" as const,
  }));
  const ofOne = calls.length === 1 ? [whole] : [];
  const ofTools = firstCalls({ parts: [...parts, ...ofOne] }).map(({ task, call }) => ({
    ...common,
    task,
    calls: [shownCall(call)],
    level: "tool" as const,
  }));
  return [...ofTasks, ...ofTools];
}

/** Whether two tasks have the same words. */
function isSameTask(one: string, other: string): boolean {
  const [said, wanted] = [one, other].map((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu));
  return (said ?? []).join(" ") === (wanted ?? []).join(" ");
}

function succeeded({ error, refused }: Call): boolean {
  return error === undefined && !refused;
}

/** A result that is too long for the state is not shown. */
function shownCall({ tool, args, result }: Call): DemonstrationCall {
  return { tool, args, ...(result === undefined ? {} : { result }) };
}

/** The first call of each tool, with the narrowest words for what it was made for. */
function firstCalls({ parts }: { parts: readonly Part[] }): { task: string; call: Call }[] {
  const first = new Map<string, { task: string; call: Call }>();
  for (const { task, calls } of parts) {
    for (const call of calls) if (!first.has(call.tool)) first.set(call.tool, { task, call });
  }
  return [...first.values()];
}

function partsOf(options: { state: DemonstratedRun; calls: readonly Call[] }): Part[] {
  const { state, calls } = options;
  return state.taskTree
    ? partsOfTasks({ tasks: state.taskTree.tasks, calls })
    : partsOfSubtasks({ state, calls });
}

/** A task of a tree names its calls. */
function partsOfTasks(options: { tasks: readonly Task[]; calls: readonly Call[] }): Part[] {
  const { tasks, calls } = options;
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
 * Nothing says for which subtask a call was made; only what the search for a subtask has found. Where each
 * subtask has found the tool of the call at its place, calls and subtasks belong together one by one.
 * Otherwise, a call belongs to a subtask that alone has found its tool, and a subtask that shares a
 * called tool with another is left out.
 */
function partsOfSubtasks(options: { state: DemonstratedRun; calls: readonly Call[] }): Part[] {
  const { state, calls } = options;
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
  if (oneByOne) {
    return leaves.map(({ text }, at) => ({ task: text, calls: calls.slice(at, at + 1) }));
  }
  const finders = (tool: string) => leaves.filter(({ tools }) => tools.has(tool));
  return leaves
    .map((leaf) => ({ task: leaf.text, calls: calls.filter(({ tool }) => leaf.tools.has(tool)) }))
    .filter(
      ({ calls }) => calls.length > 0 && calls.every(({ tool }) => finders(tool).length === 1),
    );
}
