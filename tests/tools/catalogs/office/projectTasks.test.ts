import { beforeEach, describe, expect, it } from "vitest";
import {
  createTask,
  deleteTask,
  getTaskInformationById,
  searchTasks,
  updateTask,
} from "../../../../tools/catalogs/office/projectTasks.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import type { ToolContext } from "../../../../tools/tool.js";
import { changeOf, sampleContext } from "./support.js";

let ctx: ToolContext<OfficeWorld>;
beforeEach(() => {
  ctx = sampleContext();
});

/** Ids of the tasks found, or the answer in words. */
function found(search: Parameters<typeof searchTasks>[0]): string[] | string {
  const tasks = searchTasks(search, ctx);
  return typeof tasks === "string" ? tasks : tasks.map(({ task_id }) => task_id);
}

describe("looking up a task", () => {
  it("gives the one field that is asked for", () => {
    expect(getTaskInformationById({ task_id: "00000002", field: "list_name" }, ctx)).toEqual({
      list_name: "Completed",
    });
  });

  it.each([
    [{ task_id: "", field: "board" }, "Task ID not provided."],
    [{ task_id: "00000002", field: "" }, "Field not provided."],
    [{ task_id: "00000099", field: "board" }, "Task not found."],
    [{ task_id: "00000002", field: "owner" }, "Field not found."],
  ])("answers %j with: %s", (args, answer) => {
    expect(getTaskInformationById(args, ctx)).toBe(answer);
  });
});

describe("searching for tasks", () => {
  it("gives all that fit everything that is asked, whatever the case", () => {
    expect(found({ list_name: "in progress", board: "front END" })).toEqual([
      "00000001",
      "00000004",
    ]);
    expect(found({ assigned_to_email: "piotr", due_date: "2023-12" })).toEqual([
      "00000003",
      "00000006",
    ]);
    expect(found({ task_name: "basket", board: "Design" })).toEqual([]);
  });

  it("has no limit to how many", () => {
    expect(found({ due_date: "2023" })).toHaveLength(8);
  });

  it("requires a search term", () => {
    expect(found({})).toBe("No search parameters provided.");
    expect(found({ task_name: "", board: "" })).toBe("No search parameters provided.");
  });
});

describe("creating a task", () => {
  const task = {
    task_name: "Test the archive",
    assigned_to_email: "Piotr.Zielinski@kestrel.example",
    list_name: "Backlog",
    due_date: "2023-12-15",
    board: "Back end",
  };

  it("gives it the id after the highest and its assignee in lower case", () => {
    expect(createTask(task, ctx)).toBe("00000008");
    const added = [
      { task_id: "00000008", ...task, assigned_to_email: "piotr.zielinski@kestrel.example" },
    ];
    expect(changeOf(ctx)).toEqual({ project_management: { added } });
  });

  it("reuses the id of the last task after its deletion, as WorkBench does", () => {
    deleteTask({ task_id: "00000007" }, ctx);
    expect(createTask(task, ctx)).toBe("00000007");
    expect(found({ task_name: "test the archive" })).toEqual(["00000007"]);
    expect(found({ task_name: "delivery dates" })).toEqual([]);
    expect(changeOf(ctx)).toMatchObject({
      project_management: { deleted: ["00000007"], added: [{ task_id: "00000007" }] },
    });
  });

  it.each([
    [{ due_date: "" }, /^Missing task details\.$/],
    [
      { list_name: "backlog" },
      /^List not valid\. .*: Backlog, In Progress, In Review, Completed\.$/,
    ],
    [{ board: "Frontend" }, /^Board not valid\. .*: Back end, Front end, Design\.$/],
    [
      { assigned_to_email: "imani.okoro@kestrel.example" },
      /^Assignee email not valid\. .*: greta\.lind@kestrel\.example, .*mei\.tan@kestrel\.example\.$/,
    ],
  ])("answers %j with %s", (wrong, answer) => {
    expect(createTask({ ...task, ...wrong }, ctx)).toMatch(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});

describe("deleting a task", () => {
  it("takes it off its board, once", () => {
    expect(deleteTask({ task_id: "00000003" }, ctx)).toBe("Task deleted successfully.");
    expect(deleteTask({ task_id: "00000003" }, ctx)).toBe("Task not found.");
    expect(deleteTask({ task_id: "" }, ctx)).toBe("Task ID not provided.");
    expect(changeOf(ctx)).toEqual({ project_management: { deleted: ["00000003"] } });
  });
});

describe("changing a task", () => {
  const task_id = "00000003";

  it("gives it to somebody else and moves it", () => {
    const set = (field: string, new_value: string) =>
      updateTask({ task_id, field, new_value }, ctx);
    expect(set("assigned_to_email", "MEI.TAN@kestrel.example")).toBe("Task updated successfully.");
    expect(set("list_name", "In Progress")).toBe("Task updated successfully.");
    const changed = {
      [task_id]: { assigned_to_email: "mei.tan@kestrel.example", list_name: "In Progress" },
    };
    expect(changeOf(ctx)).toEqual({ project_management: { changed } });
  });

  it.each([
    [{ new_value: "" }, /^Task ID, field, or new value not provided\.$/],
    [{ task_id: "3" }, /^Task not found\.$/],
    [{ field: "owner" }, /^Field not valid\. .*: task_name, assigned_to_email, list_name, /],
    [{ field: "task_id" }, /^Field not valid\. /],
    [{ field: "list_name", new_value: "Done" }, /^List not valid\. /],
    [{ field: "board", new_value: "design" }, /^Board not valid\. /],
    [{ field: "assigned_to_email", new_value: "mei" }, /^Assignee email not valid\. /],
  ])("answers %j with %s", (wrong, answer) => {
    const args = { task_id, field: "task_name", new_value: "Log all payments", ...wrong };
    expect(updateTask(args, ctx)).toMatch(answer);
    expect(changeOf(ctx)).toEqual({});
  });
});
