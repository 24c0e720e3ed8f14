import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The list is kept with the other data after its first change. */
const HOME = process.env["TULIPGRAPH_HOME"] ?? ".tulipgraph";
const FILE = join(HOME, "todos.json");

/** Something to be done. */
export interface Todo {
  id: number;
  title: string;
  /** The day on which it is due, as YYYY-MM-DD. */
  due: string;
  done: boolean;
}

const START: Todo[] = [
  { id: 1, title: "Send the invoice to Brandt", due: "2026-11-02", done: false },
  { id: 2, title: "Order new chairs", due: "2026-11-30", done: false },
  { id: 3, title: "Renew the domain", due: "2026-10-19", done: false },
  { id: 4, title: "Book the train to Essen", due: "2026-11-09", done: true },
];

/**
 * List all todos, done and open.
 *
 * @name list_todos
 * @effects read
 */
export function listTodos(): Todo[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, "utf8")) as Todo[]) : START;
}

/**
 * Move a todo to another day.
 *
 * @param id - Id of the todo.
 * @param due - The new day, as YYYY-MM-DD.
 * @returns The todo as it is now.
 * @name move_todo
 * @effects write
 */
export function moveTodo(id: number, due: string): Todo {
  const todos = listTodos().map((todo) => (todo.id === id ? { ...todo, due } : todo));
  const moved = todos.find((todo) => todo.id === id);
  if (!moved) throw new RangeError(`there is no todo ${id}`);
  mkdirSync(HOME, { recursive: true });
  writeFileSync(FILE, JSON.stringify(todos, null, 2));
  return moved;
}
