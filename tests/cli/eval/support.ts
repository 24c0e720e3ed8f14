import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import type { Reply } from "../../fakes/scriptedModel.js";
import { linesOf, runJson, temporaryFolder } from "../support.js";

/** A task in the form of a benchmark's folder. */
export type TaskLine = { id: string; query: string; tools: string[] } & Record<string, unknown>;

/** The tools of {@link benchmarkFolder}: two that the math catalog has, and one that nobody has. */
export const TOOL_LINES = [
  toolLine("add", "Add two numbers."),
  toolLine("multiply", "Multiply two numbers."),
  toolLine("book_flight", "Book a flight between two cities."),
];

/** Three tasks in two levels. */
export const TASK_LINES: TaskLine[] = [
  {
    id: "sum",
    query: "Add 17 and 25.",
    tools: ["add"],
    calls: [{ tool: "add", args: { a: 17, b: 25 } }],
    answer: [42],
    level: "easy",
  },
  {
    id: "product",
    query: "Multiply 6 by 9.",
    tools: ["multiply"],
    calls: [{ tool: "multiply", args: { a: 6, b: 9 } }],
    answer: [54],
    level: "easy",
  },
  {
    id: "both",
    query: "Multiply 3 by 4, then add 5 to the result.",
    tools: ["multiply", "add"],
    answer: [17],
    level: "medium",
  },
];

/** Writes a benchmark's folder and returns its path. */
export function benchmarkFolder(changes: { tasks?: unknown[]; tools?: unknown[] } = {}): string {
  const folder = join(temporaryFolder(), "small");
  mkdirSync(folder);
  writeLines(join(folder, "tools.jsonl"), changes.tools ?? TOOL_LINES);
  writeLines(join(folder, "queries.jsonl"), changes.tasks ?? TASK_LINES);
  return folder;
}

/** Two writes in sequence on the work items: what a killed run did before must count only once. */
export const TWO_WRITES: Reply[] = [
  { calls: [{ name: "set_customer_tier", args: { rev_org_id: "REV-5", tier: "enterprise" } }] },
  { calls: [{ name: "add_comment", args: { work_id: "ISS-1", text: "They wait." } }] },
  { stop: "Done." },
];

function toolLine(name: string, description: string) {
  return {
    id: name,
    name,
    description,
    parameters: {
      type: "object",
      properties: { a: { type: "float" }, b: { type: "float" } },
      required: [],
    },
  };
}

function writeLines(file: string, lines: unknown[]): void {
  writeFileSync(
    file,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );
}

/** The lines of an experiment's folder. */
export function recordsIn(out: string): RunRecord[] {
  return linesOf(join(out, "runs.jsonl")).map((line) => JSON.parse(line) as RunRecord);
}

/** The table without its times, which differ between runs. */
export async function tableOf(out: string) {
  const { json } = await runJson("eval", "report", out);
  const { rows, tests, missing } = json as Summary;
  const timed = new Set(["wallMs", "workMs"]);
  return {
    missing,
    tests,
    rows: rows.map(({ aggregates, ...row }) => ({
      ...row,
      aggregates: Object.fromEntries(Object.entries(aggregates).filter(([id]) => !timed.has(id))),
    })),
  };
}
