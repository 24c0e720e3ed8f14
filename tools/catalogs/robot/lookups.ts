import { heldBy, hindrancesOf } from "./gripper.js";
import { agentNamed, personNamed, thingNamed } from "./names.js";
import { toCentimetre } from "./spots.js";
import { ROBOT, type RobotContext } from "./state.js";

/**
 * List all objects on the table: drinks in bottles, glasses and whatever else there is, with who holds
 * them and what is in them.
 *
 * @name get_objects
 * @effects read
 * @returns all objects; amounts are in millilitres, and held_by is absent for what stands on the table
 */
export function getObjects(ctx: RobotContext): {
  name: string;
  kind: string;
  held_by?: string;
  capacity_ml?: number;
  contents_ml?: Record<string, number>;
}[] {
  return Object.entries(ctx.world.scene.things).map(([name, thing]) => {
    const { kind, place, capacity, contents = {} } = thing;
    return {
      name,
      kind,
      ...("heldBy" in place ? { held_by: place.heldBy } : {}),
      ...(capacity === undefined ? {} : { capacity_ml: capacity, contents_ml: contents }),
    };
  });
}

/**
 * List everybody at the table: the people and the robot, with what they hold.
 *
 * @name get_agents
 * @effects read
 * @returns all people and the robot
 */
export function getAgents(ctx: RobotContext): {
  name: string;
  kind: "person" | "robot";
  holds: string[];
}[] {
  const { scene } = ctx.world;
  return Object.entries(scene.agents).map(([name, { kind }]) => ({
    name,
    kind,
    holds: heldBy(ctx.world, name),
  }));
}

/**
 * Check whether a person is busy or idle, and with what.
 *
 * @name is_person_busy_or_idle
 * @effects read
 * @param person_name Name of the person
 * @returns whether the person is busy, and what with; absent when idle
 */
export function isPersonBusyOrIdle(
  person_name: string,
  ctx: RobotContext,
): { person: string; busy: boolean; busy_with?: string } {
  const { name, busyWith } = personNamed(ctx.world.scene, person_name);
  return busyWith === undefined
    ? { person: name, busy: false }
    : { person: name, busy: true, busy_with: busyWith };
}

/**
 * Check what hinders a person from helping with an object: not seeing it, not reaching it, somebody
 * else holding it, or being busy.
 *
 * @name check_hindering_reasons
 * @effects read
 * @param person_name Name of the person
 * @param object_name Name of the object
 * @returns whether the person is hindered, and by what; hidden_by is the first thing in the way of the eyes, and there may be more behind it
 */
export function checkHinderingReasons(
  person_name: string,
  object_name: string,
  ctx: RobotContext,
): {
  person: string;
  object: string;
  hindered: boolean;
  can_see: boolean;
  hidden_by?: string;
  can_reach: boolean;
  distance_m: number;
  held_by?: string;
  busy_with?: string;
} {
  const { scene } = ctx.world;
  const agent = personNamed(scene, person_name);
  const thing = thingNamed(scene, object_name);
  const { hiddenBy, outOfReach, heldByOther, distance } = hindrancesOf({ scene, agent, thing });
  const { busyWith } = agent;
  return {
    person: agent.name,
    object: thing.name,
    hindered: hiddenBy !== undefined || outOfReach || busyWith !== undefined,
    can_see: hiddenBy === undefined,
    ...(hiddenBy === undefined ? {} : { hidden_by: hiddenBy }),
    can_reach: !outOfReach,
    distance_m: toCentimetre(distance),
    ...(heldByOther === undefined ? {} : { held_by: heldByOther }),
    ...(busyWith === undefined ? {} : { busy_with: busyWith }),
  };
}

/**
 * Check whether the robot can take an object, and if not, why.
 *
 * @name check_reach_object_for_robot
 * @effects read
 * @param object_name Name of the object
 * @returns whether the robot can take it; blocked_by is the first thing that stands in front of it, and there may be more behind that
 */
export function checkReachObjectForRobot(
  object_name: string,
  ctx: RobotContext,
): {
  object: string;
  can_reach: boolean;
  blocked_by?: string;
  too_far?: boolean;
  held_by?: string;
} {
  const { scene } = ctx.world;
  const thing = thingNamed(scene, object_name);
  const agent = agentNamed(scene, ROBOT);
  const { hiddenBy, outOfReach, heldByOther } = hindrancesOf({ scene, agent, thing });
  const tooFar = outOfReach && heldByOther === undefined;
  return {
    object: thing.name,
    can_reach: hiddenBy === undefined && !outOfReach,
    ...(hiddenBy === undefined ? {} : { blocked_by: hiddenBy }),
    ...(tooFar ? { too_far: true } : {}),
    ...(heldByOther === undefined ? {} : { held_by: heldByOther }),
  };
}
