import { FONT_SIZE, textWidth } from "./theme.js";

/** A point with its label, in pixels from the top left of the drawing. */
interface LabelledPoint {
  x: number;
  y: number;
  label: string;
}

/** An upright rectangle, in pixels. */
export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Where a label goes. */
export interface PlacedLabel {
  /** Its end nearest to the point, or its middle if it stands above or below. */
  anchor: number;
  /** Which part of the label the anchor is. */
  align: "left" | "right" | "center";
  /** The middle of its height. */
  middle: number;
  /** It is so far from its point that a line must connect them. */
  isFar: boolean;
}

const HEIGHT = FONT_SIZE + 2;
/** Pixels between a point and its label; larger distances are tried when nearer places are taken. */
const DISTANCES = [8, 16, 26, 38, 52, 68];
const NEAR = 8;
/** Directions in order of preference: right, left, diagonals, above, below. */
const DIRECTIONS = [
  [1, 0, "left"],
  [-1, 0, "right"],
  [1, 1, "left"],
  [-1, -1, "right"],
  [1, -1, "left"],
  [-1, 1, "right"],
  [0, -1, "center"],
  [0, 1, "center"],
] as const;

/**
 * Places each label beside its point, inside the drawing, where it covers no other label, no point and, if
 * possible, no line; undefined if no place is left. Greedy, in the order of the points.
 *
 * @param request.lines boxes around the lines of the drawing
 */
export function placeLabels(request: {
  points: readonly LabelledPoint[];
  lines: readonly Box[];
  width: number;
  height: number;
}): (PlacedLabel | undefined)[] {
  const { points, lines, width, height } = request;
  const taken = points.map(({ x, y }) => boxAround({ x, y, width: 10, height: 10 }));
  return points.map((point) => {
    const free = candidates(point).filter(
      ({ box }) =>
        isInside(box, { left: 0, right: width, top: 0, bottom: height }) &&
        !taken.some((other) => overlap(box, other)),
    );
    const found = free.find(({ box }) => !lines.some((line) => overlap(box, line))) ?? free.at(0);
    if (!found) return undefined;
    taken.push(found.box);
    return found.label;
  });
}

interface Candidate {
  box: Box;
  label: PlacedLabel;
}

function candidates({ x, y, label }: LabelledPoint): Candidate[] {
  const width = textWidth(label);
  return DISTANCES.flatMap((distance) =>
    DIRECTIONS.map(([right, down, align]) => {
      const middle = y + down * (distance + HEIGHT / 2);
      const box = boxAround({
        x: x + right * (distance + width / 2),
        y: middle,
        width,
        height: HEIGHT,
      });
      return {
        box,
        label: { anchor: x + right * distance, align, middle, isFar: distance > NEAR },
      };
    }),
  );
}

function boxAround(centre: { x: number; y: number; width: number; height: number }): Box {
  const { x, y, width, height } = centre;
  return {
    left: x - width / 2,
    right: x + width / 2,
    top: y - height / 2,
    bottom: y + height / 2,
  };
}

function isInside(box: Box, frame: Box): boolean {
  return (
    box.left >= frame.left &&
    box.right <= frame.right &&
    box.top >= frame.top &&
    box.bottom <= frame.bottom
  );
}

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}
