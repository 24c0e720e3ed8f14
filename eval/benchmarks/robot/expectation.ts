import { z } from "zod";
import { BenchmarkFailed } from "../../../common/errors.js";

/** Something that has to be so on the table in the end. */
const conditionSchema = z.union([
  z.strictObject({
    thing: z.string(),
    /** `near`: on the table, where the person sees and reaches it. */
    is: z.enum(["held by", "near", "out of reach of", "seen by"]),
    person: z.string(),
  }),
  /** What a container holds, in millilitres; nothing else is in it. */
  z.strictObject({ container: z.string(), holds: z.record(z.string(), z.number()) }),
]);
export type Condition = z.infer<typeof conditionSchema>;

/** What is expected of a task, as files write it. */
export const writtenExpectation = z.strictObject({
  /** Name of the scene that the task begins with. */
  start: z.string(),
  /** Any one of these lists is right, all of it; an empty list asks for nothing. */
  outcomes: z.array(z.array(conditionSchema)).min(1),
  /** Things that a right run may change beside those of its outcome. */
  mayChange: z.array(z.string()).optional(),
  /**
   * `silence`: nothing is to be said or shown · what is to be said: `to` any of these, and to nobody
   * else, and of each list in `says` at least one text · absent: it does not matter.
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

/** What a right run does with the robot's world: where several ends are right, all of them. */
export type RobotExpectation = z.infer<typeof expectationSchema>;

/** What has to be said, and to whom. */
export type ExpectedSpeech = Exclude<RobotExpectation["speech"], "silence" | undefined>;

/**
 * Reads an expectation from a task.
 *
 * @throws BenchmarkFailed when it has another form
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
