import { z } from "zod";
import { TABLE_NAMES } from "../../../tools/catalogs/work/rows.js";
import { callsForm, stepsForm } from "../writtenSteps.js";

const row = z.record(z.string(), z.json());

/**
 * Rows of the world by table and id: all of a new row, and of others the fields that are no longer as they
 * were, null for those that are gone. Rows with the same change share an entry: `"TASK-1 TASK-2": {…}`.
 */
const rowChanges = z.partialRecord(
  z.enum(TABLE_NAMES),
  z.record(z.string(), row).transform(eachRow),
);

export type RowChanges = z.output<typeof rowChanges>;

const outcome = z.strictObject({
  /** The plan's calls, earlier results filled in; absent where it refers to none, and of a program. */
  calls: callsForm.optional(),
  /** Texts of the answer; absent where the request asks for nothing but a change. */
  facts: z.array(z.string()).optional(),
  /** What is changed; absent where the plan only reads. */
  changes: rowChanges.optional(),
  /** Words for what no tool can do, see `Task.unmet`; absent where all of the request can be done. */
  unmet: z.array(z.string()).optional(),
});

/** What came of following a task's plan or program over the seeded world. */
export type Outcome = z.output<typeof outcome>;

const task = z.strictObject({
  id: z.string(),
  query: z.string(),
  /** What the request leaves to whoever solves it, none of which changes what is right. */
  leftOpen: z.string().optional(),
  /** Absent where nothing can be done. */
  outcome: outcome.optional(),
});

/** A task that a list of steps can say. */
const plannedTask = task.extend({
  plan: z.strictObject({
    steps: stepsForm,
    answer: z.string(),
    lacking: z.array(z.string()).default([]),
  }),
});
export type PlannedTask = z.output<typeof plannedTask>;

/** A task that takes a condition, a loop, a count or a comparison. */
const programmedTask = task.extend({
  /** What a person would write for it, in the language of plans, line by line. */
  program: z.array(z.string()).transform((lines) => lines.join("\n")),
});
export type ProgrammedTask = z.output<typeof programmedTask>;

export const plannedPart = partOf(plannedTask);
export const programmedPart = partOf(programmedTask);

function partOf<Form extends z.ZodType>(form: Form) {
  /** What its requests are about, for whoever reads the file. */
  const about = z.string();
  return z.strictObject({ about, split: z.string(), tasks: z.array(form) });
}

function eachRow(changes: Readonly<Record<string, z.output<typeof row>>>): typeof changes {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([ids, fields]) => ids.split(" ").map((id) => [id, fields])),
  );
}
