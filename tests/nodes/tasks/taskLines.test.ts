import { describe, expect, it } from "vitest";
import type { Stage, StageChange } from "../../../nodes/shared/stage.js";
import { aggregate } from "../../../nodes/tasks/aggregate.js";
import { paraphrase } from "../../../nodes/tasks/paraphrase.js";
import { planTask } from "../../../nodes/tasks/planTask.js";
import { taskAgenda } from "../../../nodes/tasks/taskAgenda.js";
import { treeLines } from "../../../nodes/tasks/taskLines.js";
import type { TaskTree } from "../../../state/state.js";
import { addPlan, changeCurrentTask, plantTree } from "../../../state/taskTree.js";
import { GROWN_TREE, task } from "../../fakes/taskTrees.js";

function linesOf({ lines }: Stage): (stage: StageChange) => unknown[] {
  return (stage) => lines?.(stage) ?? ["no lines"];
}

const taskAgendaLines = linesOf(taskAgenda());
const planTaskLines = linesOf(planTask());
const paraphraseLines = linesOf(paraphrase());
const aggregateLines = linesOf(aggregate());

const PLANTED = plantTree("Greet and double");
const PLANNED = addPlan(PLANTED, ["greet", "double"]);
const GREETING: TaskTree = { ...PLANNED, agenda: ["1", "1.1"] };

describe("the agenda of a task tree in the terminal", () => {
  it("shows the request when it begins", () => {
    expect(taskAgendaLines({ change: { taskTree: PLANTED }, before: {} })).toEqual([
      "▸ 1 Greet and double",
    ]);
  });

  it("shows the outcome of a task, and the next task", () => {
    const greeted = changeCurrentTask(GREETING, { status: "done", result: "Hello\nthere" });
    const change = { taskTree: { ...greeted, agenda: ["1", "1.2"] } };
    expect(taskAgendaLines({ change, before: { taskTree: GREETING } })).toEqual([
      "✓ 1.1 greet = Hello there",
      "▸ 1.2 double",
    ]);
  });

  it("shows why a task failed, what is skipped because of it, and that another plan is made", () => {
    const tasks = GREETING.tasks.map((each) => {
      if (each.id === "1.1") return { ...each, status: "failed" as const, result: "No tool fits." };
      return each.id === "1.2" ? { ...each, status: "skipped" as const } : each;
    });
    const failed: TaskTree = { tasks, agenda: ["1"], step: "search" };
    expect(
      taskAgendaLines({ change: { taskTree: failed }, before: { taskTree: GREETING } }),
    ).toEqual(["✗ 1.1 greet: No tool fits.", "– 1.2 double"]);
    const replanned: TaskTree = { ...failed, step: "replan" };
    expect(
      taskAgendaLines({ change: { taskTree: replanned }, before: { taskTree: failed } }),
    ).toEqual(["1: another plan"]);
  });

  it("says that a tool is made", () => {
    const change = { taskTree: { ...GREETING, step: "create" as const } };
    expect(taskAgendaLines({ change, before: { taskTree: GREETING } })).toEqual([
      "1.1: no tool was found, making one",
    ]);
  });

  it("says nothing while a task continues, or without a tree", () => {
    const change = { taskTree: { ...GREETING, step: "decompose" as const } };
    expect(taskAgendaLines({ change, before: { taskTree: GREETING } })).toEqual([]);
    expect(taskAgendaLines({ change: {}, before: {} })).toEqual([]);
  });

  it("draws the whole tree at the end", () => {
    expect(taskAgendaLines({ change: { taskTree: GROWN_TREE }, before: {} })).toEqual([
      "✓ 1 Greet and double = Hello, 42",
      [{ aside: "├─ ✗ 1.1 task 1.1: No tool fits." }],
      [{ aside: "├─ – 1.2 task 1.2" }],
      "├─ ✓ 1.1' task 1.1' = Hello",
      "└─ ✓ 1.2' task 1.2' = 42",
    ]);
  });

  it("draws tasks below tasks", () => {
    const tasks = [
      task({ id: "1", plans: [["1.1", "1.2"]] }),
      task({ id: "1.1", parent: "1", plans: [["1.1.1", "1.1.2"]] }),
      task({ id: "1.2", parent: "1" }),
      task({ id: "1.1.1", parent: "1.1" }),
      task({ id: "1.1.2", parent: "1.1" }),
    ];
    expect(treeLines({ tasks, agenda: ["1"], step: "search" })).toEqual([
      "▸ 1 task 1",
      "├─ ▸ 1.1 task 1.1",
      "│  ├─ ▸ 1.1.1 task 1.1.1",
      "│  └─ ▸ 1.1.2 task 1.1.2",
      "└─ ▸ 1.2 task 1.2",
    ]);
  });
});

describe("the stages of a task tree in the terminal", () => {
  it("show a new plan, or that there is none", () => {
    const before = { taskTree: PLANTED };
    expect(planTaskLines({ change: { taskTree: PLANNED }, before })).toEqual([
      "▸ 1.1 greet",
      "▸ 1.2 double",
    ]);
    expect(planTaskLines({ change: { taskTree: PLANTED }, before })).toEqual(["1 is not split"]);
    expect(planTaskLines({ change: {}, before })).toEqual([]);
  });

  it("show other words, or that there are none", () => {
    const reworded = changeCurrentTask(PLANTED, { text: "say hello", wordings: ["greet"] });
    const before = { taskTree: PLANTED };
    expect(paraphraseLines({ change: { taskTree: reworded }, before })).toEqual([
      "1 in other words: say hello",
    ]);
    const same = changeCurrentTask(PLANTED, { wordings: ["Greet and double"] });
    expect(paraphraseLines({ change: { taskTree: same }, before })).toEqual(["1: no other words"]);
    expect(paraphraseLines({ change: {}, before })).toEqual([]);
  });

  it("show the outcome of results", () => {
    const done = changeCurrentTask(PLANNED, { status: "done", result: "Hello, 42" });
    expect(aggregateLines({ change: { taskTree: done }, before: {} })).toEqual([
      "✓ 1 Greet and double = Hello, 42",
    ]);
    expect(aggregateLines({ change: {}, before: {} })).toEqual([]);
  });
});
