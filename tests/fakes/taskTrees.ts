import type { Task, TaskTree } from "../../state/state.js";

/** A task as it is before anything came of it, with what a test is about. */
export function task(fields: Partial<Task> & { id: string }): Task {
  return {
    text: `task ${fields.id}`,
    parent: null,
    level: 0,
    plans: [],
    wordings: [],
    hints: [],
    tools: [],
    created: "",
    calls: [],
    status: "open",
    result: "",
    ...fields,
  };
}

/** A request whose first plan failed; in the second, one task was put in other words, one got a tool. */
export const GROWN_TREE: TaskTree = {
  tasks: [
    task({
      id: "1",
      text: "Greet and double",
      plans: [
        ["1.1", "1.2"],
        ["1.1'", "1.2'"],
      ],
      status: "done",
      result: "Hello, 42",
    }),
    task({ id: "1.1", parent: "1", level: 1, status: "failed", result: "No tool fits." }),
    task({ id: "1.2", parent: "1", level: 1, status: "skipped" }),
    task({
      id: "1.1'",
      parent: "1",
      level: 1,
      wordings: ["say hello"],
      calls: ["a"],
      status: "done",
      result: "Hello",
    }),
    task({
      id: "1.2'",
      parent: "1",
      level: 1,
      created: "double_it",
      calls: ["b", "c"],
      status: "done",
      result: "42",
    }),
  ],
  agenda: [],
  step: "done",
};
