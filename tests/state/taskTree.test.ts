import { describe, expect, it } from "vitest";
import { AIMessage, HumanMessage } from "@langchain/core/messages";
import type { Task, TaskTree } from "../../state/state.js";
import {
  addPlan,
  changeCurrentTask,
  earlierResults,
  failedPlans,
  plannedTasks,
  plantTree,
  rootTask,
  taskAtHand,
} from "../../state/taskTree.js";
import { callsOfTask } from "../../state/calls.js";
import { emptyState } from "../fakes/emptyState.js";

describe("a task tree", () => {
  it("gives the tasks of each plan ids of their own", () => {
    const once = addPlan(plantTree("do it"), ["first", "second"]);
    const twice = addPlan(once, ["third", "fourth"]);
    expect(twice.tasks.map(({ id, text, level }) => [id, text, level])).toEqual([
      ["1", "do it", 0],
      ["1.1", "first", 1],
      ["1.2", "second", 1],
      ["1.1'", "third", 1],
      ["1.2'", "fourth", 1],
    ]);
    expect(rootTask(twice)?.plans).toEqual([
      ["1.1", "1.2"],
      ["1.1'", "1.2'"],
    ]);
  });

  it.each([[], ["do it"]])("takes no plan of less than two tasks: %j", (...texts) => {
    const tree = plantTree("do it");
    expect(addPlan(tree, texts)).toEqual(tree);
  });

  it("follows the plan that was made last", () => {
    const tree = addPlan(addPlan(plantTree("do it"), ["first", "second"]), ["third", "fourth"]);
    const texts = plannedTasks(tree, rootOf(tree)).map(({ text }) => text);
    expect(texts).toEqual(["third", "fourth"]);
  });
});

describe("results of earlier tasks", () => {
  /** The third part of the second part of the request, after a plan that has failed. */
  const tree = [
    [["lost", "lost too"], "1"],
    [["a", "b", "c"], "1"],
    [["b one", "b two", "b three"], "1.2'"],
  ].reduce<TaskTree>(
    (grown, [texts, id]) => addPlan({ ...grown, agenda: [String(id)] }, texts as string[]),
    plantTree("do it"),
  );
  const done: TaskTree = {
    ...tree,
    tasks: tree.tasks.map((task) => ({ ...task, status: "done", result: `${task.text}!` })),
  };

  it("are those before the task, then those before its supertask, oldest first", () => {
    expect(earlierResults(done, taskOf(done, "1.2'.3")).map(({ task }) => task)).toEqual([
      "a",
      "b one",
      "b two",
    ]);
    expect(earlierResults(done, rootOf(done))).toEqual([]);
  });

  it("are shown with the task at hand", () => {
    const state = emptyState({ taskTree: { ...done, agenda: ["1", "1.2'"] } });
    expect(taskAtHand(state)).toEqual({ text: "b", earlierResults: [{ task: "a", result: "a!" }] });
    expect(taskAtHand(emptyState())).toBeUndefined();
  });
});

describe("plans that have failed", () => {
  it("are shown with the task that failed and the reason, cut if it is long", () => {
    const tree = addPlan(plantTree("do it"), ["first", "second"]);
    const failed = changeCurrentTask(
      { ...tree, agenda: ["1", "1.1"] },
      { status: "failed", result: "no".repeat(1000) },
    );
    const [plan] = failedPlans(failed, rootOf(failed));
    expect(plan?.subtasks).toEqual(["first", "second"]);
    expect(plan?.reason).toMatch(/^“first” failed: (no)+/);
    expect(plan?.reason.length).toBeLessThan(450);
  });
});

it("knows the calls of the task at hand by the conversation since the request", () => {
  const call = { tool: "greet", args: {}, ms: 1, cost: 0 };
  const reply = new AIMessage({
    content: "",
    tool_calls: [{ id: "b", name: "greet", args: {}, type: "tool_call" }],
  });
  const state = emptyState({
    messages: [new HumanMessage("Greet!"), reply],
    calls: [
      { ...call, id: "a" },
      { ...call, id: "b" },
    ],
  });
  expect(callsOfTask(state).map(({ id }) => id)).toEqual(["b"]);
});

function rootOf(tree: TaskTree): Task {
  return taskOf(tree, "1");
}

function taskOf({ tasks }: TaskTree, id: string): Task {
  const task = tasks.find((each) => each.id === id);
  if (!task) throw new Error(`no task ${id}`);
  return task;
}
