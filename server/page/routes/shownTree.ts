import type { GraphState } from "../../../state/state.js";

/** A task, a subtask or a step of a run, with those below it. */
export interface Branch {
  text: string;
  state: string;
  kind: "good" | "bad" | "";
  /** What came of it, or why it was left. */
  note: string;
  branches: Branch[];
}

interface Row extends Omit<Branch, "branches"> {
  id: string | number;
  parent: string | number | null;
}

/** The tasks of a recursion, the steps of a search, or the subtasks and what was searched for them; null for none. */
export function shownTree({ taskTree, tree, subtasks = [] }: Partial<GraphState>) {
  if (taskTree) {
    const tasks = taskTree.tasks.map(({ status, result, ...task }) => row(task, status, [result]));
    return { title: "Tasks", branches: nested(tasks) };
  }
  if (tree) {
    const steps = tree.nodes.filter(({ parent }) => parent !== null);
    return { title: "Search steps", branches: nested(steps.map(stepRow)) };
  }
  if (subtasks.length === 0) return null;
  return { title: "Subtasks", branches: nested(subtasks.map(subtaskRow)) };
}

/** Rows whose parent is not among them stand at the top. */
function nested(rows: readonly Row[]): Branch[] {
  const branches = new Map(
    rows.map(({ id, ...row }) => [id, { ...row, branches: [] as Branch[] }]),
  );
  return [...branches.values()].flatMap(({ parent, ...branch }) => {
    const above = parent === null ? undefined : branches.get(parent);
    above?.branches.push(branch);
    return above ? [] : branch;
  });
}

type Node = NonNullable<GraphState["tree"]>["nodes"][number];

const STEP_STATES = { answer: "answered", gaveUp: "given up" } as const;

function stepRow({ id, parent, text, calls, end, said = "" }: Node): Row {
  const made = calls.map(({ name, args, observation }) =>
    [`${name}(${JSON.stringify(args)})`, observation].filter(Boolean).join(" → "),
  );
  const step = { id, parent, text: text || calls.map(({ name }) => name).join(", ") };
  const shown = row(step, end ? STEP_STATES[end] : "step", [...made, said]);
  return calls.some(({ failed }) => failed) ? { ...shown, kind: "bad" } : shown;
}

function subtaskRow({ id, text, status, phrases, reason }: GraphState["subtasks"][number]): Row {
  const end = id.lastIndexOf(".");
  const sought = phrases.length > 0 ? `searched for: ${phrases.join("; ")}` : "";
  return row({ id, text, parent: end < 0 ? null : id.slice(0, end) }, status, [
    reason ?? "",
    sought,
  ]);
}

const GOOD = ["done", "found", "answered"];
const BAD = ["failed", "missed", "unserved", "given up"];

function row(
  { id, parent, text }: Pick<Row, "id" | "parent" | "text">,
  state: string,
  notes: readonly (string | undefined)[],
): Row {
  const kind = GOOD.includes(state) ? "good" : BAD.includes(state) ? "bad" : "";
  return { id, parent, text, state, kind, note: notes.filter(Boolean).join("\n") };
}
