import { type Box, placeLabels } from "./placeLabels.js";
import type { Layers, Plane, ScatterPoint } from "./scatter.js";
import { GROUND } from "./theme.js";

/** Longer names, which contain settings, would fill the plot. */
const MOST_LETTERS = 24;

/** Whether points have numbers instead of names, because the names are too long; a list must explain them. */
export function areNumbered(points: readonly ScatterPoint[]): boolean {
  return points.some(({ name }) => name.length > MOST_LETTERS);
}

/** The names of the points, or their numbers from 1, placed in pixels instead of values of the scales. */
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
      // An outline in the background colour keeps a label readable over a line.
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

/** The steps of the frontier: from each point right to the cost of the next, then up. */
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

/** A field in pixels instead of values of the scale. */
function pixels(field: string) {
  return { field, type: "quantitative" as const, scale: null };
}
