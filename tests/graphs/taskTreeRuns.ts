import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { expect } from "vitest";
import { compileGraph } from "../../graphs/compile.js";
import { wiring } from "../../graphs/dfs_tulip.js";
import type { GraphState, Task } from "../../state/state.js";
import { type Question, type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

/** A request of two parts. */
export const REQUEST = "Double the number 21, then halve the number 10";
export const DOUBLE = "double the number 21";
export const HALVE = "halve the number 10";

type ActInput = Extract<Question, { stage: "act" }>["input"];

/** What a scripted model says of trees; by default it splits nothing and can solve what speaks of a number. */
export interface Behaviour {
  /** The plans for a task, in the order in which it is asked for them. */
  plans?: Record<string, string[][]>;
  paraphrases?: Record<string, string>;
  act?: (input: ActInput) => Reply;
  aggregate?: (results: string[]) => { result: string; solved: boolean };
  writeTool?: () => Reply;
  /** Replies that come before all others. */
  instead?: (question: Question) => Reply | undefined;
}

export function scripted(behaviour: Behaviour): (question: Question) => Reply {
  const { plans = {}, paraphrases = {}, act = solving, aggregate = joined } = behaviour;
  return (question) => {
    const other = behaviour.instead?.(question);
    if (other) return other;
    const { stage, input } = question;
    switch (stage) {
      case "decompose":
        return { subtasks: plans[input.task]?.[input.failedPlans?.length ?? 0] ?? [] };
      case "act":
        return act(input);
      case "paraphrase":
        return { text: JSON.stringify({ task: paraphrases[input.task] ?? input.task }) };
      case "aggregate":
        return { text: JSON.stringify(aggregate(input.results.map(({ result }) => result))) };
      case "writeTool":
        return behaviour.writeTool?.() ?? { text: "I cannot write code." };
      default:
        return new Error(`${stage} must not be asked`);
    }
  };
}

function joined(results: string[]): { result: string; solved: boolean } {
  return { result: results.join(" and "), solved: true };
}

/** Doubles or halves the number that the task names, and gives a task up whose call has failed. */
export function solving({ task, observations }: ActInput): Reply {
  const [observation] = observations;
  if (observation?.error) return { stop: "It cannot be done.", solved: false };
  if (observation) return { stop: String(observation.result) };
  const [, verb, value] = /(double|halve) the number (\d+)/.exec(task?.text ?? "") ?? [];
  if (!value) return { calls: [{ name: "double_number", args: { value: "bad" } }] };
  return { calls: [{ name: `${verb}_number`, args: { value: Number(value) } }] };
}

/** The tasks of a tree, in the order in which they came up. */
export function tasksOf({ taskTree }: GraphState): Task[] {
  return taskTree?.tasks ?? [];
}

/** The graph, on a thread of its own. */
export function thread() {
  const graph = compileGraph(wiring, { name: "dfs_tulip", checkpointer: new MemorySaver() });
  return { graph, config: { configurable: { thread_id: crypto.randomUUID() } } };
}

/** Runs the graph on a thread of its own; what it was asked comes with its last state. */
export async function run(
  options: Behaviour & { request?: string; settings?: Record<string, unknown> },
): Promise<{ state: GraphState; questions: Question[] }> {
  const { request = REQUEST, settings, ...behaviour } = options;
  const model = scriptedModel(scripted(behaviour));
  const { graph, config } = thread();
  const context = { ...TEST_LIBRARY, model: model.spec, ...settings };
  await graph.invoke({ request }, { ...config, context });
  const state = (await graph.getState(config)).values as GraphState;
  return { state, questions: model.questions };
}

/** Providers refuse a history in which a call has no answer, or an answer no call. */
export function expectValidHistory(messages: BaseMessage[]): void {
  const called = messages.flatMap((message) =>
    AIMessage.isInstance(message) ? (message.tool_calls ?? []).map(({ id }) => id) : [],
  );
  const answered = messages.flatMap((message) =>
    ToolMessage.isInstance(message) ? message.tool_call_id : [],
  );
  expect(answered).toEqual(called);
}
