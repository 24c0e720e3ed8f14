import { z } from "zod";
import { sceneAfter } from "../../../tools/catalogs/robot/change.js";
import { hindrancesOf } from "../../../tools/catalogs/robot/gripper.js";
import { personNamed, thingNamed } from "../../../tools/catalogs/robot/names.js";
import type { RobotChange, RobotEvent, Scene } from "../../../tools/catalogs/robot/state.js";
import { hasWords } from "../../scorers/answers.js";
import { ROBOT_SCENES } from "./scenes.js";

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
type Condition = z.infer<typeof conditionSchema>;

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

/** What a right run does with the robot's world. */
type RobotExpectation = z.infer<typeof writtenExpectation>;

/** What must be said, and to whom. */
type ExpectedSpeech = Exclude<RobotExpectation["speech"], "silence" | undefined>;

/** How a run's changes to the robot's world compare with the expected ones. */
interface RobotJudgement {
  /** The table and the speech are as expected, and nothing else was done. */
  same: boolean;
  /** Number of unwanted changes and utterances. */
  unwanted: number;
  /** Whether nothing was done; absent if something had to be done. */
  silent?: boolean;
  /** Share of the speech that was addressed to the right person; absent if nothing had to be said. */
  rightPerson?: number;
  /** Whether the reason came before the first act; absent unless both were required. */
  reasonFirst?: boolean;
}

type Said = Extract<RobotEvent, { act: "speak" }>;

/** Judges a run by the task's expectation and the change that the run made. */
export function judgeRobot(expectation: RobotExpectation, change: RobotChange): RobotJudgement {
  const { outcomes, speech } = expectation;
  const log = change.log ?? [];
  const unwanted = unwantedThings(expectation, change) + unwantedSigns(expectation, log);
  const told = speech === "silence" ? undefined : speech;
  const isTold = told === undefined || log.some((event) => isReason(event, told));
  const asksNothing = outcomes.some((outcome) => outcome.length === 0);
  return {
    same: unwanted === 0 && isTold && isDone(expectation, change) && isInOrder(expectation, log),
    unwanted,
    ...(speech === "silence" && asksNothing ? { silent: log.length === 0 } : {}),
    ...(told ? { rightPerson: shareToRight(log, told) } : {}),
    ...(told && !asksNothing ? { reasonFirst: isReasonFirst(log, told) } : {}),
  };
}

function isDone({ start, outcomes }: RobotExpectation, change: RobotChange): boolean {
  const before = ROBOT_SCENES[start];
  if (before === undefined) throw new Error(`there is no scene "${start}"`);
  const scene = sceneAfter(before, change);
  return outcomes.some((outcome) => outcome.every((condition) => isMet(scene, condition)));
}

/** A difference in millilitres that nobody sees. */
const TOLERANCE_ML = 0.5;

function isMet(scene: Scene, condition: Condition): boolean {
  if ("container" in condition) {
    const { contents = {} } = thingNamed(scene, condition.container);
    const liquids = new Set([...Object.keys(contents), ...Object.keys(condition.holds)]);
    return [...liquids].every(
      (each) => Math.abs((contents[each] ?? 0) - (condition.holds[each] ?? 0)) <= TOLERANCE_ML,
    );
  }
  const thing = thingNamed(scene, condition.thing);
  const agent = personNamed(scene, condition.person);
  const { place } = thing;
  if (condition.is === "held by") return "heldBy" in place && place.heldBy === agent.name;
  const { hiddenBy, outOfReach } = hindrancesOf({ scene, agent, thing });
  if (condition.is === "seen by") return hiddenBy === undefined;
  if ("heldBy" in place) return false;
  return condition.is === "near" ? hiddenBy === undefined && !outOfReach : outOfReach;
}

/** Number of changed things that belong to no outcome. */
function unwantedThings(
  { outcomes, mayChange = [] }: RobotExpectation,
  { things = {} }: RobotChange,
): number {
  const named = outcomes.flat().map((each) => ("thing" in each ? each.thing : each.container));
  const allowed = new Set([...named, ...mayChange]);
  return Object.keys(things).filter((name) => !allowed.has(name)).length;
}

/** Number of things said to the wrong person, or said or shown when silence was expected. */
function unwantedSigns({ speech }: RobotExpectation, log: readonly RobotEvent[]): number {
  if (speech === undefined) return 0;
  if (speech === "silence") return log.filter(({ act }) => isSign(act)).length;
  return saidIn(log).filter(({ to }) => !speech.to.includes(to)).length;
}

function isSign(act: RobotEvent["act"]): boolean {
  return act === "speak" || act === "point";
}

function saidIn(log: readonly RobotEvent[]): Said[] {
  return log.filter((event) => event.act === "speak");
}

function isReason(event: RobotEvent, { to, says }: ExpectedSpeech): boolean {
  return (
    event.act === "speak" &&
    to.includes(event.to) &&
    says.every((texts) => texts.some((text) => hasWords(event.text, text)))
  );
}

function shareToRight(log: readonly RobotEvent[], { to }: ExpectedSpeech): number {
  const said = saidIn(log);
  return said.length === 0 ? 0 : said.filter((each) => to.includes(each.to)).length / said.length;
}

function isReasonFirst(log: readonly RobotEvent[], speech: ExpectedSpeech): boolean {
  const firstAct = log.findIndex(({ act }) => !isSign(act));
  const reason = log.findIndex((event) => isReason(event, speech));
  return reason >= 0 && (firstAct < 0 || reason < firstAct);
}

function isInOrder({ order }: RobotExpectation, log: readonly RobotEvent[]): boolean {
  if (order === undefined) return true;
  const moved = log.flatMap((event) =>
    "thing" in event && event.act !== "put down" ? [event.thing] : [],
  );
  return order.every((name, index) => moved[index] === name);
}
