import { z } from "zod";
import { BenchmarkFailed } from "../../../common/errors.js";

/** A condition for the table after a run. */
const conditionSchema = z.union([
  z.strictObject({
    thing: z.string(),
    /** `near`: on the table, where the person can see and reach it. */
    is: z.enum(["held by", "near", "out of reach of", "seen by"]),
    person: z.string(),
  }),
  /** What a container holds, in millilitres; nothing else is in it. */
  z.strictObject({ container: z.string(), holds: z.record(z.string(), z.number()) }),
]);
export type Condition = z.infer<typeof conditionSchema>;

/** The expected outcome of a task, as data files write it. */
export const writtenExpectation = z.strictObject({
  /** Name of the scene at the start. */
  start: z.string(),
  /** A run must meet all conditions of one of these lists; an empty list asks for nothing. */
  outcomes: z.array(z.array(conditionSchema)).min(1),
  /** Things that a right run may change besides those of its outcome. */
  mayChange: z.array(z.string()).optional(),
  /**
   * `silence`: nothing may be said or shown · an object: something must be said to one of `to` and to nobody else, with
   * at least one text of each list in `says` · absent: speech does not matter.
   */
  speech: z
    .union([
      z.literal("silence"),
      z.strictObject({ to: z.array(z.string()), says: z.array(z.array(z.string())) }),
    ])
    .optional(),
  /** Things in the order in which they have to be moved. */
  order: z.array(z.string()).optional(),
});

const expectationSchema = writtenExpectation.extend({
  mayChange: z.array(z.string()).default([]),
});

/** What a right run does with the robot's world. */
export type RobotExpectation = z.infer<typeof expectationSchema>;

/** What must be said, and to whom. */
export type ExpectedSpeech = Exclude<RobotExpectation["speech"], "silence" | undefined>;

/**
 * Reads an expectation from a task.
 *
 * @throws BenchmarkFailed if it has another form
 */
export function expectationFrom(form: unknown): RobotExpectation {
  const parsed = expectationSchema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BenchmarkFailed({
    benchmark: "robot",
    problem: `expected of a task: ${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`,
  });
}
