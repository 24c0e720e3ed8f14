import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { InvalidSetting } from "../../../common/errors.js";
import { TABLE_NAMES } from "./rows.js";
import type { WorkChange, WorkTables } from "./state.js";

const text = z.string();

const workItem = z.strictObject({
  id: text,
  type: z.enum(["issue", "ticket", "task"]),
  title: text,
  body: text,
  applies_to_part: text,
  created_by: text,
  owned_by: text.optional(),
  stage: text,
  created_on: text,
  due_on: text.optional(),
  closed_on: text.optional(),
  sprint_id: text.optional(),
  estimate_hours: z.number(),
  labels: z.array(text),
  links: z.array(
    z.strictObject({
      relation: z.enum(["blocks", "duplicates", "relates_to", "parent_of"]),
      to: text,
    }),
  ),
  priority: z.enum(["p0", "p1", "p2", "p3"]).optional(),
  rev_orgs: z.array(text).optional(),
  severity: z.enum(["blocker", "high", "medium", "low"]).optional(),
  needs_response: z.boolean().optional(),
  rev_org: text.optional(),
  source_channel: z.enum(["email", "chat", "phone", "portal"]).optional(),
});

/** The form of the company without its work items in files. */
export const companyForm = z.strictObject({
  sprints: rowsOf(z.strictObject({ id: text, name: text, starts_on: text, ends_on: text })),
  parts: rowsOf(
    z.strictObject({
      id: text,
      name: text,
      type: z.enum(["product", "capability", "feature", "enhancement"]),
      parent_id: text.optional(),
      owned_by: text,
    }),
  ),
  customers: rowsOf(
    z.strictObject({
      id: text,
      name: text,
      tier: z.enum(["enterprise", "business", "standard"]),
      contact_email: text,
    }),
  ),
  users: rowsOf(
    z.strictObject({ id: text, name: text, email: text, team: text, hours_per_week: z.number() }),
  ),
});

const workChange: z.ZodType<WorkChange> = companyForm.partial().extend({
  work_items: rowsOf(workItem).optional(),
  comments: rowsOf(
    z.strictObject({ id: text, work_id: text, author: text, text, created_on: text }),
  ).optional(),
  time_logs: rowsOf(
    z.strictObject({ id: text, work_id: text, user_id: text, hours: z.number(), day: text }),
  ).optional(),
});

function rowsOf<Row extends z.ZodType>(row: Row) {
  return z.record(z.string(), row);
}

/**
 * Reads what a run has done from its JSON form.
 *
 * @throws InvalidSetting if the form has another shape
 */
export function workChangeFrom(form: unknown): WorkChange {
  const parsed = workChange.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidSetting({
    setting: "change of the work items' world",
    problem: `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`,
    hint: `It holds rows by their ids in ${TABLE_NAMES.join(", ")}, each of which may be left out`,
  });
}

/** What a run has done; `{}` for nothing. Shares nothing with the tables. */
export function changeSince(start: WorkTables, now: WorkTables): WorkChange {
  const changed = TABLE_NAMES.map((table) => {
    const before: Record<string, unknown> = start[table];
    const rows = Object.entries(now[table]).filter(
      ([id, row]) => !isDeepStrictEqual(row, before[id]),
    );
    return [table, Object.fromEntries(rows)] as const;
  });
  const some = changed.filter(([, rows]) => Object.keys(rows).length > 0);
  return structuredClone(Object.fromEntries(some));
}

/** The tables after a change. Shares nothing with either. */
export function tablesAfter(start: WorkTables, change: WorkChange): WorkTables {
  return structuredClone({
    work_items: { ...start.work_items, ...change.work_items },
    comments: { ...start.comments, ...change.comments },
    time_logs: { ...start.time_logs, ...change.time_logs },
    sprints: { ...start.sprints, ...change.sprints },
    parts: { ...start.parts, ...change.parts },
    customers: { ...start.customers, ...change.customers },
    users: { ...start.users, ...change.users },
  });
}
