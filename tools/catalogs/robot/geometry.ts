import type { Point } from "./state.js";

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
