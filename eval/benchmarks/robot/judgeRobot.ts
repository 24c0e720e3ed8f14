import { hindrancesOf } from "../../../tools/catalogs/robot/hindrances.js";
import { robotChangeFrom, sceneAfter } from "../../../tools/catalogs/robot/change.js";
import { personNamed, thingNamed } from "../../../tools/catalogs/robot/names.js";
import type { RobotChange, RobotEvent, Scene } from "../../../tools/catalogs/robot/state.js";
import { hasWords } from "../../scorers/answers.js";
import {
  type Condition,
  expectationFrom,
  type ExpectedSpeech,
  type RobotExpectation,
} from "./expectation.js";
import { ROBOT_SCENES } from "./scenes.js";

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

/**
 * Judges a run.
 *
 * @param expected the task's expectation, as JSON
 * @param actual the change that the run made, as JSON
 * @throws BenchmarkFailed, InvalidSetting if either has another form
 */
export function judgeRobot(expected: unknown, actual: unknown): RobotJudgement {
  const expectation = expectationFrom(expected);
  const change = robotChangeFrom(actual);
  const { outcomes, speech } = expectation;
  const log = change.log ?? [];
  const unwanted = unwantedThings(expectation, change) + unwantedSigns(expectation, log);
  const told = speechOf(speech);
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

function speechOf(speech: RobotExpectation["speech"]): ExpectedSpeech | undefined {
  return speech === "silence" ? undefined : speech;
}

function isDone({ start, outcomes }: RobotExpectation, change: RobotChange): boolean {
  const scene = sceneAfter(sceneOf(start), change);
  return outcomes.some((outcome) => outcome.every((condition) => isMet(scene, condition)));
}

function sceneOf(start: string): Scene {
  const scene = ROBOT_SCENES[start];
  if (scene === undefined) throw new Error(`there is no scene "${start}"`);
  return scene;
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
  { outcomes, mayChange }: RobotExpectation,
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
