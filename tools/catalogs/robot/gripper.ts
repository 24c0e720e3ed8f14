import { distanceFromLine, distanceOf, freeSpot, isFree } from "./spots.js";
import { agentNamed, type Named, thingNamed } from "./names.js";
import {
  type Agent,
  type Place,
  type Point,
  ROBOT,
  type RobotWorld,
  type Scene,
  type Thing,
} from "./state.js";

/** What somebody has in their hands. */
export function heldBy({ scene }: Pick<RobotWorld, "scene">, holder: string): string[] {
  return Object.keys(scene.things).filter((name) => {
    const place = scene.things[name]?.place;
    return place !== undefined && "heldBy" in place && place.heldBy === holder;
  });
}

/**
 * Makes the robot hold a thing. If its hand is full, it puts down what it holds and tries again, as the published robot does
 * (Tulip Agent, Ocker et al. 2024, arXiv:2407.21778).
 *
 * @returns what was put down, if anything
 * @throws Error if it cannot take the thing
 */
export function takeThing(world: RobotWorld, thing: Named<Thing>): string | undefined {
  if (tryToTake(world, thing)) return undefined;
  const [held] = heldBy(world, ROBOT);
  if (held !== undefined) putDown(world, held);
  if (tryToTake(world, thing)) return held;
  throw new Error(`the robot has no hand free for the ${thing.name}`);
}

/** @returns whether the robot's hand was free, or already held the thing */
function tryToTake(world: RobotWorld, { name }: Named<Thing>): boolean {
  const { scene } = world;
  const held = heldBy(world, ROBOT);
  if (held.includes(name)) return true;
  if (held.length >= agentNamed(scene, ROBOT).hands) return false;
  const thing = thingNamed(scene, name);
  const problem = graspProblem(scene, thing);
  if (problem !== undefined) throw new Error(`the robot cannot take the ${name}: ${problem}`);
  placeThing(world, name, { heldBy: ROBOT, takenFrom: standingAt(thing) });
  return true;
}

/** Puts a thing that the robot holds back where it stood, or, if that place is taken, as near to it as possible. */
function putDown(world: RobotWorld, name: string): void {
  const { scene, log } = world;
  const thing = thingNamed(scene, name);
  const before = standingAt(thing);
  const { at, reach } = agentNamed(scene, ROBOT);
  const spot = isFree({ scene, thing, spot: before })
    ? before
    : freeSpot({
        scene,
        thing,
        isRight: (each) => distanceOf(each, at) <= reach,
        effort: (each) => distanceOf(each, before),
      });
  if (spot === undefined) throw new Error(`there is no room to put down the ${name}`);
  placeThing(world, name, { at: spot });
  log.push({ act: "put down", thing: name });
}

/** Changes where a thing is. */
export function placeThing({ scene }: RobotWorld, name: string, place: Place): void {
  const { name: _name, ...thing } = thingNamed(scene, name);
  scene.things[name] = { ...thing, place };
}

/** Where a thing stands, or stood before it was taken. */
export function standingAt({ place }: Thing) {
  return "at" in place ? place.at : place.takenFrom;
}

/** What keeps somebody from a thing. */
export interface Hindrances {
  /** The thing in between that is nearest to the person. */
  hiddenBy?: string;
  /** The thing is farther away than the arm is long. */
  outOfReach: boolean;
  /** Who else holds it. */
  heldByOther?: string;
  /** In metres; for a held thing, the distance of its holder. */
  distance: number;
}

/** What keeps a person from seeing or reaching a thing. */
export function hindrancesOf(options: {
  scene: Scene;
  agent: Named<Agent>;
  thing: Named<Thing>;
}): Hindrances {
  const { scene, agent, thing } = options;
  const { place } = thing;
  if ("heldBy" in place) {
    const isOwn = place.heldBy === agent.name;
    return {
      outOfReach: !isOwn,
      ...(isOwn ? {} : { heldByOther: place.heldBy }),
      distance: isOwn ? 0 : distanceOf(agent.at, agentNamed(scene, place.heldBy).at),
    };
  }
  const distance = distanceOf(agent.at, place.at);
  const hiddenBy = firstBetween({ scene, from: agent.at, to: place.at, except: thing.name });
  return { ...(hiddenBy ? { hiddenBy } : {}), outOfReach: distance > agent.reach, distance };
}

/** What keeps the robot from taking a thing, in words; undefined if nothing does. */
export function graspProblem(scene: Scene, thing: Named<Thing>): string | undefined {
  const robot = agentNamed(scene, ROBOT);
  const { hiddenBy, outOfReach, heldByOther } = hindrancesOf({ scene, agent: robot, thing });
  if (heldByOther !== undefined) return `${heldByOther} holds it`;
  if (outOfReach) return "it is too far away from the robot";
  return hiddenBy && `the ${hiddenBy} stands in front of it`;
}

/** The tall thing between two places that is nearest to the first. */
export function firstBetween(options: {
  scene: Scene;
  from: Point;
  to: Point;
  except: string;
}): string | undefined {
  const { scene, from, to, except } = options;
  let nearest: { name: string; distance: number } | undefined;
  for (const [name, { tall, radius, place }] of Object.entries(scene.things)) {
    if (!tall || name === except || "heldBy" in place) continue;
    if (distanceFromLine(place.at, { from, to }) >= radius) continue;
    const distance = distanceOf(from, place.at);
    if (distance < (nearest?.distance ?? Infinity)) nearest = { name, distance };
  }
  return nearest?.name;
}
