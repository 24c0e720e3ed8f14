import type { ToolContext } from "../../tool.js";
import { choiceProblem, deleteRecord, holds, readField, updateRecord } from "./records.js";
import { addRow, rowsOf } from "./rows.js";
import type { OfficeWorld } from "./state.js";
import type { ProjectTask } from "./tables.js";

const LISTS = ["Backlog", "In Progress", "In Review", "Completed"];

const BOARDS = ["Back end", "Front end", "Design"];

/**
 * Look up one field of a project task whose id is known.
 *
 * @name project_management.get_task_information_by_id
 * @effects read
 * @flow private
 * @returns the field with its value, or in words why there is none
 */
export function getTaskInformationById(
  {
    task_id,
    field,
  }: {
    /** Id of the task: eight digits */
    task_id: string;
    /** Field to look up: task_id, task_name, assigned_to_email, list_name, due_date or board */
    field: string;
  },
  ctx: ToolContext<OfficeWorld>,
): Record<string, string | null> | string {
  return readField({ world: ctx.world, database: "project_management", id: task_id, field });
}

/**
 * Find all project tasks by parts of their name, assignee, list, due date or board. A task has to fit
 * all that is given, and at least one thing has to be given.
 *
 * @name project_management.search_tasks
 * @effects read
 * @flow private
 * @returns all tasks that fit, with id, name, assignee, list, due date and board
 */
export function searchTasks(
  wanted: {
    /** Text that the task's name contains */
    task_name?: string;
    /** Email address, or a part of it, of the person who does the task */
    assigned_to_email?: string;
    /** List that the task is in: Backlog, In Progress, In Review or Completed */
    list_name?: string;
    /** Due date as YYYY-MM-DD, or the beginning of one */
    due_date?: string;
    /** Board that the task is on: Back end, Front end or Design */
    board?: string;
  },
  ctx: ToolContext<OfficeWorld>,
): ProjectTask[] | string {
  const { task_name, assigned_to_email, list_name, due_date, board } = wanted;
  const parts = Object.entries({ task_name, assigned_to_email, list_name, due_date, board });
  if (!parts.some(([, part]) => part)) return "No search parameters provided.";
  return rowsOf(ctx.world, "project_management").filter((task: Record<string, string>) =>
    parts.every(([column, part]) => holds(task[column] ?? null, part ?? "")),
  );
}

/**
 * Put a new task on a board of the project management.
 *
 * @name project_management.create_task
 * @effects write
 * @returns the id of the new task, or in words what is missing or wrong
 */
export function createTask(
  {
    task_name,
    assigned_to_email,
    list_name,
    due_date,
    board,
  }: {
    /** Name of the task */
    task_name: string;
    /** Email address of the person who is to do it: somebody who has tasks already */
    assigned_to_email: string;
    /** List to put it in, spelt exactly so: Backlog, In Progress, In Review or Completed */
    list_name: string;
    /** Due date as YYYY-MM-DD */
    due_date: string;
    /** Board to put it on, spelt exactly so: Back end, Front end or Design */
    board: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  const { world } = ctx;
  if (!task_name || !assigned_to_email || !list_name || !due_date || !board) {
    return "Missing task details.";
  }
  const assignee = assigned_to_email.toLowerCase();
  const values = { task_name, assigned_to_email: assignee, list_name, due_date, board };
  const problem =
    valueProblem(world, "assigned_to_email", assignee) ??
    valueProblem(world, "list_name", list_name) ??
    valueProblem(world, "board", board);
  return problem ?? addRow({ world, database: "project_management", values });
}

/**
 * Delete a task from the project management.
 *
 * @name project_management.delete_task
 * @effects write
 * @returns in words whether the task was deleted
 */
export function deleteTask(
  {
    task_id,
  }: {
    /** Id of the task: eight digits */
    task_id: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  return deleteRecord({ world: ctx.world, database: "project_management", id: task_id });
}

/**
 * Change one field of a project task: rename it, give it to somebody else, move it to another list
 * or board, or give it another due date.
 *
 * @name project_management.update_task
 * @effects write
 * @returns in words whether the task was changed
 */
export function updateTask(
  {
    task_id,
    field,
    new_value,
  }: {
    /** Id of the task: eight digits */
    task_id: string;
    /** Field to change: task_name, assigned_to_email, list_name, due_date or board */
    field: string;
    /** New value; list_name is Backlog, In Progress, In Review or Completed, board is Back end, Front end or Design, due_date is YYYY-MM-DD, and an assignee is somebody who has tasks already */
    new_value: string;
  },
  ctx: ToolContext<OfficeWorld>,
): string {
  const { world } = ctx;
  return updateRecord({
    world,
    database: "project_management",
    id: task_id,
    field,
    value: new_value,
    problem: valueProblem(world, field, new_value),
  });
}

/** What is wrong with a field's value, as an answer for the model. */
function valueProblem(world: OfficeWorld, field: string, value: string): string | undefined {
  if (field === "board") return choiceProblem({ what: "Board", value, choices: BOARDS });
  if (field === "list_name") return choiceProblem({ what: "List", value, choices: LISTS });
  if (field !== "assigned_to_email") return undefined;
  const team = rowsOf(world, "project_management").map(({ assigned_to_email }) =>
    assigned_to_email.toLowerCase(),
  );
  return choiceProblem({
    what: "Assignee email",
    value: value.toLowerCase(),
    choices: [...new Set(team)],
  });
}
