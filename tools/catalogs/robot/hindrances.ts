import { distanceFromLine, distanceOf } from "./geometry.js";
import { agentNamed, type Named } from "./names.js";
import { type Agent, type Point, ROBOT, type Scene, type Thing } from "./state.js";

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
