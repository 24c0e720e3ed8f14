import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import type { Summary } from "../../../eval/summary/summary.js";
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

/** The change that the tasks of {@link officeFolder} want. */
export const GOLD_CHANGE = {
  calendar: { deleted: ["00000001"] },
  email: { deleted: ["00000001"] },
};

/** A folder in the form of WorkBench with a tiny office, and tasks that all want the same change. */
export function officeFolder(tasks: number): string {
  const lines = Array.from({ length: tasks }, (_, index) => ({
    id: `office-${index}`,
    query: "Cancel the stand-up, and tell Ana.",
    tools: ["calendar.delete_event", "email.delete_email"],
    calls: [
      { tool: "calendar.delete_event", args: { event_id: "00000001" } },
      { tool: "email.delete_email", args: { email_id: "00000001" } },
    ],
    state_diff: GOLD_CHANGE,
  }));
  const folder = benchmarkFolder({
    tasks: lines,
    tools: [
      toolLine("calendar.delete_event", "Delete an event."),
      toolLine("email.delete_email", "Delete an e-mail."),
    ],
  });
  mkdirSync(join(folder, "data"));
  for (const [name, text] of Object.entries(OFFICE_DATA)) {
    writeFileSync(join(folder, "data", name), text);
  }
  return folder;
}

const OFFICE_DATA = {
  "calendar_events.csv":
    "event_id,event_name,participant_email,event_start,duration\n" +
    "00000001,stand-up,ana@example.com,2023-12-01 09:00:00,30\n",
  "emails.csv":
    "email_id,inbox/outbox,sender/recipient,subject,sent_datetime,body\n" +
    "00000001,inbox,ana@example.com,Stand-up,2023-11-29 10:00:00,See you\n",
  "analytics_data.csv":
    "date_of_visit,visitor_id,page_views,session_duration_seconds,traffic_source,user_engaged\n" +
    "2023-11-20,0001,3,20,direct,True\n",
  "project_tasks.csv":
    "task_id,task_name,assigned_to_email,list_name,due_date,board\n" +
    "00000001,Write the plan,ana@example.com,Backlog,2023-12-02,Design\n",
  "customer_relationship_manager_data.csv":
    "customer_id,assigned_to_email,customer_name,customer_email,customer_phone,last_contact_date,product_interest,status,follow_up_by,notes\n" +
    "00000001,ana@example.com,Kim Lee,kim@example.org,,2023-11-20,Software,Lead,2023-12-05,\n",
  "email_addresses.csv": "ana@example.com\n",
};

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
