import { z } from "zod";

/** A node of a task tree (Tulip Agent: DfsTulip). */
const taskSchema = z.object({
  /** "1" for the request, "1.2" for the second task of its first plan, "1.2'" … in a later one. */
  id: z.string(),
  text: z.string(),
  parent: z.string().nullable(),
  /** 0 for the request. */
  level: z.number().int(),
  /** Ids of the tasks of each of its plans, in order; the last plan is the current one. */
  plans: z.array(z.array(z.string())),
  /** Earlier wordings. */
  wordings: z.array(z.string()),
  /** Names of the nearest tools, whatever their distance. */
  hints: z.array(z.string()),
  /** Ids of tools near enough to solve it. */
  tools: z.array(z.string()),
  /** Id of the tool made for it; empty for none. */
  created: z.string(),
  /** Ids of the calls made for it. */
  calls: z.array(z.string()),
  status: z.enum(["open", "done", "failed", "skipped"]),
  /** The result, or why there is none. */
  result: z.string(),
});
export type Task = z.infer<typeof taskSchema>;

/** The next step for the current task; `done` when the whole tree is. */
const taskStepSchema = z.enum([
  "search",
  "decompose",
  "replan",
  "solve",
  "paraphrase",
  "create",
  "aggregate",
  "done",
]);
export type TaskStep = z.infer<typeof taskStepSchema>;

/** A task tree, worked through depth first with an explicit agenda. */
export const taskTreeSchema = z.object({
  tasks: z.array(taskSchema),
  /** Ids of the tasks in progress, innermost last. */
  agenda: z.array(z.string()),
  /** What the innermost task needs next. */
  step: taskStepSchema,
});
export type TaskTree = z.infer<typeof taskTreeSchema>;
