import { describe, expect, it } from "vitest";
import type { Stage, StageChange } from "../../../nodes/shared/stage.js";
import { taskAgenda } from "../../../nodes/tasks/taskAgenda.js";
import type { TaskTree } from "../../../state/state.js";
import { addPlan, changeCurrentTask, plantTree } from "../../../state/taskTree.js";

function linesOf({ lines }: Stage): (stage: StageChange) => unknown[] {
  return (stage) => lines?.(stage) ?? ["no lines"];
}

const taskAgendaLines = linesOf(taskAgenda());

const PLANTED = plantTree("Greet and double");
const PLANNED = addPlan(PLANTED, ["greet", "double"]);
const GREETING: TaskTree = { ...PLANNED, agenda: ["1", "1.1"] };

describe("the agenda of a task tree in the terminal", () => {
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
});
