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
  if (taskTree) return { title: "Tasks", branches: nested(taskTree.tasks.map(taskRow)) };
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

const TASK_KINDS = { done: "good", failed: "bad", open: "", skipped: "" } as const;

function taskRow({
  id,
  parent,
  text,
  status,
  result,
}: NonNullable<GraphState["taskTree"]>["tasks"][number]): Row {
  return { id, parent, text, state: status, kind: TASK_KINDS[status], note: result };
}

const STEP_STATES = { answer: "answered", gaveUp: "given up" } as const;

function stepRow({
  id,
  parent,
  text,
  calls,
  end,
  said = "",
}: NonNullable<GraphState["tree"]>["nodes"][number]): Row {
  const made = calls.map(({ name, args, observation }) =>
    [`${name}(${JSON.stringify(args)})`, observation].filter(Boolean).join(" → "),
  );
  const hasFailed = end === "gaveUp" || calls.some(({ failed }) => failed);
  return {
    id,
    parent,
    text: text || calls.map(({ name }) => name).join(", "),
    state: end ? STEP_STATES[end] : "step",
    kind: hasFailed ? "bad" : end ? "good" : "",
    note: [...made, said].filter(Boolean).join("\n"),
  };
}

const SUBTASK_KINDS = {
  found: "good",
  missed: "bad",
  unserved: "bad",
  split: "",
  open: "",
} as const;

function subtaskRow({ id, text, status, phrases, reason }: GraphState["subtasks"][number]): Row {
  const end = id.lastIndexOf(".");
  const sought = phrases.length > 0 ? `searched for: ${phrases.join("; ")}` : "";
  return {
    id,
    parent: end < 0 ? null : id.slice(0, end),
    text,
    state: status,
    kind: SUBTASK_KINDS[status],
    note: [reason, sought].filter(Boolean).join("\n"),
  };
}
