import type { Named } from "./names.js";
import type { Point, Scene, Thing } from "./state.js";

/** Spacing of the places that are tried, in metres. */
const STEP = 0.05;

/** Free space around a thing that is put down, in metres. */
const GAP = 0.01;

/**
 * The best free place on the table for a thing: if possible one where it hides nothing from anybody.
 *
 * @param options.isRight whether a place is acceptable
 * @param options.effort such as a distance; the acceptable place with the least effort is taken
 * @returns undefined if no acceptable place is free
 */
export function freeSpot(options: {
  scene: Scene;
  thing: Named<Thing>;
  isRight: (spot: Point) => boolean;
  effort: (spot: Point) => number;
}): Point | undefined {
  const { scene, thing, isRight, effort } = options;
  const right = spotsFor(scene, thing).filter(
    (spot) => isFree({ scene, thing, spot }) && isRight(spot),
  );
  const sorted = right.toSorted((one, other) => effort(one) - effort(other));
  return sorted.find((spot) => !hidesAnything(scene, thing, spot)) ?? sorted[0];
}

/** Whether a thing fits in a place: on the table, and beside all other things. */
export function isFree(options: { scene: Scene; thing: Named<Thing>; spot: Point }): boolean {
  const { scene, thing, spot } = options;
  const { length, depth } = scene.table;
  const [x, y] = spot;
  const { radius } = thing;
  if (x < radius || y < radius || x > length - radius || y > depth - radius) return false;
  return Object.entries(scene.things).every(
    ([name, { place, radius: other }]) =>
      name === thing.name ||
      "heldBy" in place ||
      distanceOf(place.at, spot) >= radius + other + GAP,
  );
}

/** Whether a thing at a place would stand between somebody and another thing. */
function hidesAnything(scene: Scene, thing: Named<Thing>, spot: Point): boolean {
  if (!thing.tall) return false;
  const agents = Object.values(scene.agents);
  return Object.entries(scene.things).some(
    ([name, { place }]) =>
      name !== thing.name &&
      "at" in place &&
      agents.some(({ at }) => distanceFromLine(spot, { from: at, to: place.at }) < thing.radius),
  );
}

/** The places of a grid over the table, row by row. */
function spotsFor({ table }: Scene, { radius }: Named<Thing>): Point[] {
  const along = steps(radius, table.length - radius);
  return steps(radius, table.depth - radius).flatMap((y) => along.map((x): Point => [x, y]));
}

function steps(first: number, last: number): number[] {
  const count = Math.max(0, Math.floor((last - first) / STEP) + 1);
  return Array.from({ length: count }, (_, index) => toCentimetre(first + index * STEP));
}

/** Distance between two points, in metres. */
export function distanceOf([x, y]: Point, [otherX, otherY]: Point): number {
  return Math.hypot(x - otherX, y - otherY);
}

/** Distance of a point from the line segment between two others, in metres. */
export function distanceFromLine(point: Point, line: { from: Point; to: Point }): number {
  const [fromX, fromY] = line.from;
  const [alongX, alongY] = [line.to[0] - fromX, line.to[1] - fromY];
  const length = alongX ** 2 + alongY ** 2;
  const share =
    length === 0 ? 0 : ((point[0] - fromX) * alongX + (point[1] - fromY) * alongY) / length;
  const within = Math.min(1, Math.max(0, share));
  return distanceOf(point, [fromX + within * alongX, fromY + within * alongY]);
}

/** Rounded to whole centimetres, so that places are the same on every machine. */
export function toCentimetre(metres: number): number {
  return Math.round(metres * 100) / 100;
}
