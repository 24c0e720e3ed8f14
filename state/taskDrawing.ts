import type { Call, Task, TaskTree } from "./state.js";
import { followedPlan } from "./taskTree.js";

/** Most characters drawn of a wording or a result. */
const TEXT_LENGTH = 80;

const MARKS: Record<Task["status"], string> = {
  open: "…",
  done: "✓",
  failed: "✗",
  skipped: "–",
};

/** Styles of the nodes; `past` tasks belong to abandoned plans. */
const LOOKS = [
  "classDef open stroke-dasharray:4",
  "classDef done fill:#e3f4e1,stroke:#3c7a3a",
  "classDef failed fill:#fbe3e0,stroke:#b3382c",
  "classDef skipped fill:#eeeeee,stroke:#999999",
  "classDef past opacity:0.45",
  "classDef tool fill:#e8eefb,stroke:#4a67a8",
  "classDef wording fill:#ffffff,stroke:#999999",
];

/**
 * A task tree as a Mermaid flowchart (published as a plot: Tulip Agent, DfsTulip). Solid edges lead to
 * subtasks; dotted ones show sibling order, called tools, created tools and earlier wordings. Failed plans are
 * dimmed.
 *
 * @param calls the calls of the run that the tasks refer to
 */
export function taskDrawing(tree: TaskTree, calls: readonly Call[]): string {
  const tools = new Map(toolsDrawn(tree, calls).map((id, index) => [id, `tool${index + 1}`]));
  const names = new Map(tree.tasks.map(({ id }, index) => [id, `task${index + 1}`]));
  const drawing = { tree, calls, tools, names };
  return [
    "flowchart TD",
    ...tree.tasks.map((task) => taskNode(drawing, task)),
    ...[...tools].map(([id, name]) => `${name}(["${label(id)}"]):::tool`),
    ...tree.tasks.flatMap((task) => [
      ...subtaskEdges(drawing, task),
      ...wordingEdges(drawing, task),
      ...toolEdges(drawing, task),
    ]),
    ...LOOKS,
  ].join("\n");
}

interface Drawing {
  tree: TaskTree;
  calls: readonly Call[];
  /** Node names by tool id, and by task id. */
  tools: ReadonlyMap<string, string>;
  names: ReadonlyMap<string, string>;
}

function toolsDrawn({ tasks }: TaskTree, calls: readonly Call[]): string[] {
  const drawn = tasks.flatMap((task) => [...toolsCalled(task, calls), task.created]);
  return [...new Set(drawn)].filter(Boolean);
}

function toolsCalled(task: Task, calls: readonly Call[]): string[] {
  const own = new Set(task.calls);
  const called = calls.filter(({ id, refused }) => own.has(id) && !refused);
  return [...new Set(called.map(({ tool }) => tool))];
}

function taskNode({ tree, names }: Drawing, task: Task): string {
  const { id, text, status, result } = task;
  const name = names.get(id) ?? "";
  const outcome = status === "done" ? `= ${result}` : result;
  const shown = [`${MARKS[status]} ${id} ${cut(text)}`, cut(outcome)].filter(Boolean);
  const node = `${name}["${shown.map(label).join("<br/>")}"]:::${status}`;
  return isPast(tree, task) ? `${node}\nclass ${name} past` : node;
}

/** Whether a task, or one above it, belongs to an abandoned plan. */
function isPast(tree: TaskTree, task: Task): boolean {
  const parent = tree.tasks.find(({ id }) => id === task.parent);
  if (!parent) return false;
  return !followedPlan(tree, parent).includes(task.id) || isPast(tree, parent);
}

function subtaskEdges({ names }: Drawing, { id, plans }: Task): string[] {
  const name = (task: string) => names.get(task) ?? "";
  return plans.flatMap((plan) => [
    ...plan.map((subtask) => `${name(id)} --> ${name(subtask)}`),
    ...plan.slice(1).map((subtask, index) => `${name(plan[index] ?? "")} -.-> ${name(subtask)}`),
  ]);
}

function wordingEdges({ names }: Drawing, { id, text, wordings }: Task): string[] {
  const name = names.get(id) ?? "";
  return wordings
    .filter((wording) => wording !== text)
    .flatMap((wording, index) => {
      const node = `${name}wording${index + 1}`;
      return [
        `${node}["${label(`“${cut(wording)}”`)}"]:::wording`,
        `${name} -. "said before as" .-> ${node}`,
      ];
    });
}

function toolEdges({ calls, tools, names }: Drawing, task: Task): string[] {
  const name = names.get(task.id) ?? "";
  const called = toolsCalled(task, calls).filter((tool) => tool !== task.created);
  return [
    ...called.map((tool) => `${name} -.-> ${tools.get(tool)}`),
    ...(task.created ? [`${name} -. "made for it" .-> ${tools.get(task.created)}`] : []),
  ];
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > TEXT_LENGTH ? `${line.slice(0, TEXT_LENGTH - 1)}…` : line;
}

/** Escapes every character that could end a label or has a meaning in Mermaid. */
function label(text: string): string {
  return text.replaceAll(
    /[^\p{L}\p{N} .,!?+=*/'’“”()✓✗…–-]/gu,
    (character) => `#${character.codePointAt(0)};`,
  );
}
