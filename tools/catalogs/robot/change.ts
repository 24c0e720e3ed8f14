import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { InvalidSetting } from "../../../common/errors.js";
import type { RobotChange, RobotWorld, Scene, Thing } from "./state.js";

const point = z.tuple([z.number(), z.number()]);

/** The form of something on the table in files and changes. */
const thing: z.ZodType<Thing> = z.strictObject({
  kind: z.string(),
  place: z.union([
    z.strictObject({ at: point }),
    z.strictObject({ heldBy: z.string(), takenFrom: point }),
  ]),
  radius: z.number(),
  tall: z.boolean().optional(),
  capacity: z.number().optional(),
  contents: z.record(z.string(), z.number()).optional(),
});

/** The form of a whole table in files. */
export const sceneForm: z.ZodType<Scene> = z.strictObject({
  table: z.strictObject({ length: z.number(), depth: z.number() }),
  agents: z.record(
    z.string(),
    z.strictObject({
      kind: z.enum(["person", "robot"]),
      at: point,
      reach: z.number(),
      hands: z.number(),
      busyWith: z.string().optional(),
    }),
  ),
  things: z.record(z.string(), thing),
});

const event = z.discriminatedUnion("act", [
  z.strictObject({ act: z.literal("speak"), to: z.string(), text: z.string() }),
  z.strictObject({ act: z.literal("point"), at: z.string() }),
  z.strictObject({
    act: z.literal("pour"),
    from: z.string(),
    into: z.string(),
    ml: z.number(),
  }),
  z.strictObject({ act: z.literal("hand over"), thing: z.string(), to: z.string() }),
  z.strictObject({ act: z.literal("move to"), thing: z.string(), person: z.string() }),
  z.strictObject({ act: z.literal("move away"), thing: z.string(), from: z.string() }),
  z.strictObject({ act: z.literal("put down"), thing: z.string() }),
]);

const robotChange: z.ZodType<RobotChange> = z.strictObject({
  things: z.record(z.string(), thing).optional(),
  log: z.array(event).optional(),
});

/**
 * Reads what a run has done from its JSON form.
 *
 * @throws InvalidSetting if the form has another shape
 */
export function robotChangeFrom(form: unknown): RobotChange {
  const parsed = robotChange.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new InvalidSetting({
    setting: "change of the robot's world",
    problem: `${issue?.path.join(".") || "the whole"}: ${issue?.message ?? "not readable"}`,
    hint: "It holds things and log, both of which may be left out",
  });
}

/** What a run has done; `{}` for nothing. Shares nothing with the world. */
export function changeSince(start: Scene, { scene, log }: RobotWorld): RobotChange {
  const changed = Object.entries(scene.things).filter(
    ([name, now]) => !isDeepStrictEqual(now, start.things[name]),
  );
  return structuredClone({
    ...(changed.length > 0 ? { things: Object.fromEntries(changed) } : {}),
    ...(log.length > 0 ? { log } : {}),
  });
}

/** The scene after a change. Shares nothing with either. */
export function sceneAfter(start: Scene, { things = {} }: RobotChange): Scene {
  return structuredClone({ ...start, things: { ...start.things, ...things } });
}
