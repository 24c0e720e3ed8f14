import { z } from "zod";
import { readDataFile } from "../../../common/dataFile.js";
import { TABLE_NAMES } from "../../../tools/catalogs/work/rows.js";
import { callsForm, stepsForm } from "../shipped.js";

const row = z.record(z.string(), z.json());

/**
 * Rows of the world by table and id: new rows complete, others with the changed fields only, null for removed fields.
 * Rows with the same change share an entry: `"TASK-1 TASK-2": {…}`.
 */
const rowChanges = z.partialRecord(
  z.enum(TABLE_NAMES),
  z.record(z.string(), row).transform(eachRow),
);

export type RowChanges = z.output<typeof rowChanges>;

const outcome = z.strictObject({
  /** The calls of the plan or program with earlier results filled in; absent for a plan that refers to none. */
  calls: callsForm.optional(),
  /** Texts of the answer; absent if the request only asks for a change. */
  facts: z.array(z.string()).optional(),
  /** The change; absent if the plan only reads. */
  changes: rowChanges.optional(),
  /** Words for what no tool can do, see `Task.unmet`; absent if everything can be done. */
  unmet: z.array(z.string()).optional(),
});

/** The outcome of a task's plan or program over the seeded world. */
export type Outcome = z.output<typeof outcome>;

const task = z.strictObject({
  id: z.string(),
  query: z.string(),
  /** What the request leaves open; it does not affect what is right. */
  leftOpen: z.string().optional(),
  /** Absent if nothing can be done. */
  outcome: outcome.optional(),
});

/** A task for which a list of steps is enough. */
const plannedTask = task.extend({
  plan: z.strictObject({
    steps: stepsForm,
    answer: z.string(),
    lacking: z.array(z.string()).default([]),
  }),
});
export type PlannedTask = z.output<typeof plannedTask>;

/** A task that needs a condition, a loop, a count or a comparison. */
const programmedTask = task.extend({
  /** The program that a person would write for it, in the language of plans, line by line. */
  program: z.array(z.string()).transform((lines) => lines.join("\n")),
});
export type ProgrammedTask = z.output<typeof programmedTask>;

const plannedPart = partOf(plannedTask);
const programmedPart = partOf(programmedTask);

function partOf<Form extends z.ZodType>(form: Form) {
  const about = z.string();
  return z.strictObject({ about, split: z.string(), tasks: z.array(form) });
}

function eachRow(changes: Readonly<Record<string, z.output<typeof row>>>): typeof changes {
  return Object.fromEntries(
    Object.entries(changes).flatMap(([ids, fields]) => ids.split(" ").map((id) => [id, fields])),
  );
}

/** Tasks for lists of steps; the first five parts differ by what people want, the last two by what is possible. */
export const PARTS = readParts(
  plannedPart,
  "triage sprintPlanning customerFollowUp reporting handOvers partlySolvable unsolvable",
);

/** Tasks that no list of steps can express; the last part differs by what is possible. */
export const PROGRAM_PARTS = readParts(
  programmedPart,
  "conditions loops counts dates beyondTheTools",
);

function readParts<Form extends z.ZodType>(form: Form, names: string) {
  return names
    .split(" ")
    .map((name) => readDataFile(new URL(`tasks/${name}.json`, import.meta.url), form));
}
