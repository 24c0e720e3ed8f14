import { type Box, placeLabels } from "./placeLabels.js";
import type { Chart } from "./render.js";
import type { Plane, ScatterPoint } from "./scatter.js";
import { GROUND } from "./theme.js";

/** Names with more letters, which settings make, would fill the plane. */
const MOST_LETTERS = 24;

type Layers = Extract<Chart["spec"], { layer: unknown }>["layer"];

/** Points stand with their numbers, since their names are too long: a list has to explain them. */
export function areNumbered(points: readonly ScatterPoint[]): boolean {
  return points.some(({ name }) => name.length > MOST_LETTERS);
}

/** The names of the points, or their numbers from 1. They stand at places in pixels, for which the scales are left out. */
export function labelLayers(plane: Plane): Layers {
  const { width, height } = plane;
  const points = labelledPoints(plane);
  const lines = [...frontierLines(plane), ...intervalLines(plane)];
  const placed = placeLabels({ points, lines, width, height }).flatMap((place, index) => {
    const point = points[index];
    return place && point ? { ...point, ...place } : [];
  });
  const mark = {
    type: "text" as const,
    align: { expr: "datum.align" },
    baseline: "middle" as const,
  };
  const text = {
    x: pixels("anchor"),
    y: pixels("middle"),
    text: { field: "label", type: "nominal" as const },
  };
  return [
    {
      data: { values: placed.filter(({ isFar }) => isFar) },
      mark: { type: "rule", opacity: 0.45, strokeWidth: 0.75 },
      encoding: {
        x: pixels("x"),
        y: pixels("y"),
        x2: { field: "anchor" },
        y2: { field: "middle" },
      },
    },
    {
      // A rim in the colour of the ground keeps a label readable where a line passes behind it.
      data: { values: placed },
      mark: { ...mark, stroke: GROUND, strokeWidth: 3 },
      encoding: text,
    },
    {
      data: { values: placed },
      mark,
      encoding: text,
    },
  ];
}

function labelledPoints({ points, x, y, height }: Plane) {
  const numbered = areNumbered(points);
  return points.map(({ name, cost, score }, index) => ({
    x: x.position(cost),
    y: height - y.position(score),
    label: numbered ? String(index + 1) : name,
  }));
}

/** From each point of the frontier to the cost of the next, and up to it. */
function frontierLines({ frontier, x, y, width, height }: Plane): Box[] {
  return frontier.flatMap((point, index) => {
    const next = frontier[index + 1];
    const [left, level] = [x.position(point.cost), height - y.position(point.score)];
    const right = next ? x.position(next.cost) : width;
    const top = next ? height - y.position(next.score) : level;
    return [
      { left, right, top: level - 1, bottom: level + 1 },
      { left: right - 1, right: right + 1, top, bottom: level },
    ];
  });
}

function intervalLines({ points, x, y, height }: Plane): Box[] {
  return points.map(({ cost, low, high }) => ({
    left: x.position(cost) - 1,
    right: x.position(cost) + 1,
    top: height - y.position(high),
    bottom: height - y.position(low),
  }));
}

/** A field that holds pixels instead of values of the scale. */
function pixels(field: string) {
  return { field, type: "quantitative" as const, scale: null };
}
