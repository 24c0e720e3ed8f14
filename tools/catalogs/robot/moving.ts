import { distanceOf, freeSpot } from "./spots.js";
import { firstBetween, heldBy, placeThing, standingAt, takeThing } from "./gripper.js";
import { agentNamed, type Named, personNamed, thingNamed } from "./names.js";
import {
  type Agent,
  type Point,
  ROBOT,
  type RobotContext,
  type RobotWorld,
  type Thing,
} from "./state.js";

/**
 * Hand a glass, a bottle or another object over to a person, into the hand. A busy person has no hand
 * free. What the robot holds is put down first.
 *
 * @name hand_object_over_to_person
 * @effects write
 * @param object_name Name of the object
 * @param person_name Name of the person who is given it
 * @returns in words what was done
 */
export function handObjectOverToPerson(
  object_name: string,
  person_name: string,
  ctx: RobotContext,
): string {
  const { world } = ctx;
  const thing = thingNamed(world.scene, object_name);
  const person = personNamed(world.scene, person_name);
  if (heldBy(world, person.name).includes(thing.name)) {
    throw new Error(`${person.name} holds the ${thing.name} already`);
  }
  requireFreeHand(world, person);
  const putDown = takeThing(world, thing);
  placeThing(world, thing.name, { heldBy: person.name, takenFrom: standingAt(thing) });
  world.log.push({ act: "hand over", thing: thing.name, to: person.name });
  return said(putDown, `You handed the ${thing.name} over to ${person.name}.`);
}

/**
 * Move a glass, a bottle or another object to a person, and put it down on the table where the person
 * sees and reaches it. What the robot holds is put down first.
 *
 * @name move_object_to_person
 * @effects write
 * @param object_name Name of the object
 * @param person_name Name of the person to whom it is moved
 * @returns in words what was done
 */
export function moveObjectToPerson(
  object_name: string,
  person_name: string,
  ctx: RobotContext,
): string {
  const { world } = ctx;
  const { scene } = world;
  const thing = thingNamed(scene, object_name);
  const person = personNamed(scene, person_name);
  const isVisible = (spot: Point) =>
    firstBetween({ scene, from: person.at, to: spot, except: thing.name }) === undefined;
  const putDown = moveThing(world, thing, {
    where: `within reach of ${person.name}`,
    isRight: (spot) => distanceOf(spot, person.at) <= person.reach && isVisible(spot),
    effort: (spot) => distanceOf(spot, person.at),
  });
  world.log.push({ act: "move to", thing: thing.name, person: person.name });
  return said(putDown, `You put the ${thing.name} down near ${person.name}.`);
}

/**
 * Move a glass, a box or another object away from a person, to a place on the table that the person does
 * not reach and where it hides nothing, if there is room. What the robot holds is put down first.
 *
 * @name move_object_away_from_person
 * @effects write
 * @param object_name Name of the object
 * @param away_from Name of the person
 * @returns in words what was done
 */
export function moveObjectAwayFromPerson(
  object_name: string,
  away_from: string,
  ctx: RobotContext,
): string {
  const { world } = ctx;
  const thing = thingNamed(world.scene, object_name);
  const person = personNamed(world.scene, away_from);
  const before = standingAt(thing);
  const putDown = moveThing(world, thing, {
    where: `out of reach of ${person.name}`,
    isRight: (spot) => distanceOf(spot, person.at) > person.reach,
    effort: (spot) => distanceOf(spot, before),
  });
  world.log.push({ act: "move away", thing: thing.name, from: person.name });
  return said(putDown, `You moved the ${thing.name} away from ${person.name}.`);
}

function requireFreeHand(world: RobotWorld, { name, hands, busyWith }: Named<Agent>): void {
  if (busyWith !== undefined) {
    throw new Error(
      `${name} is busy ${busyWith} and has no hand free; move_object_to_person puts it near ${name}`,
    );
  }
  const held = heldBy(world, name);
  if (held.length < hands) return;
  throw new Error(`${name} has no hand free and holds: ${held.join(", ")}`);
}

/** @returns what had to be put down before */
function moveThing(
  world: RobotWorld,
  thing: Named<Thing>,
  goal: { where: string; isRight: (spot: Point) => boolean; effort: (spot: Point) => number },
): string | undefined {
  const { scene } = world;
  const putDown = takeThing(world, thing);
  const robot = agentNamed(scene, ROBOT);
  const spot = freeSpot({
    scene,
    thing,
    isRight: (each) => distanceOf(each, robot.at) <= robot.reach && goal.isRight(each),
    effort: goal.effort,
  });
  if (spot === undefined) throw new Error(`there is no room for the ${thing.name} ${goal.where}`);
  placeThing(world, thing.name, { at: spot });
  return putDown;
}

function said(putDown: string | undefined, done: string): string {
  return putDown === undefined ? done : `You put down the ${putDown}. ${done}`;
}
