import { ALL_LEVELS, type Summary } from "../../summary/summary.js";
import { formatFigure } from "../figureText.js";
import { rowsOfLevel, type ScoreInfo, seriesName } from "../scores.js";
import { costAxis, shareAxis, type ValueAxis } from "./axes.js";
import { type CostPoint, paretoFrontier } from "./pareto.js";
import type { Chart } from "./render.js";
import { labelLayers } from "./scatterLabels.js";
import { ACCENT, GROUND, THEME } from "./theme.js";

const PADDING = { left: 52, right: 10, top: 8, bottom: 38 };

/** A graph under one variant of the settings. */
export interface ScatterPoint extends CostPoint {
  name: string;
  low: number;
  high: number;
}

/** The contents and axes of a scatter plot. */
export interface Plane {
  points: ScatterPoint[];
  frontier: ScatterPoint[];
  x: ValueAxis;
  y: ValueAxis;
  width: number;
  height: number;
}

export type Layers = Extract<Chart["spec"], { layer: unknown }>["layer"];

/** The points of an experiment: correctness and cost over all its tasks. */
export function scatterPoints(request: {
  summary: Summary;
  score: ScoreInfo;
  cost: ScoreInfo;
}): ScatterPoint[] {
  const { summary, score, cost } = request;
  return rowsOfLevel(summary, ALL_LEVELS).flatMap((row) => {
    const got = row.aggregates[score.id];
    const paid = row.aggregates[cost.id];
    if (!got || !paid) return [];
    const { mean, low, high } = got;
    return { name: seriesName(row), score: mean, cost: paid.mean, low, high };
  });
}

/** Correctness against cost, with the efficient frontier as a line of steps. */
export function scatter(request: {
  points: ScatterPoint[];
  score: ScoreInfo;
  cost: ScoreInfo;
  width: number;
}): Chart {
  const { points, score, cost } = request;
  const width = request.width - PADDING.left - PADDING.right;
  const height = Math.round(width > 500 ? width * 0.5 : width);
  const plane: Plane = {
    points,
    frontier: paretoFrontier(points),
    x: costAxis({ costs: points.map((point) => point.cost), length: width }),
    y: shareAxis({ shares: points.flatMap(({ low, high }) => [low, high]), length: height }),
    width,
    height,
  };
  return {
    id: "scatter",
    title: `${score.label} against ${cost.label}`,
    description: describe({ ...plane, cost }),
    spec: {
      config: THEME,
      width,
      height,
      autosize: "none",
      padding: PADDING,
      layer: [...dataLayers({ plane, score, cost }), ...labelLayers(plane)],
    },
  };
}

interface Scatter {
  plane: Plane;
  score: ScoreInfo;
  cost: ScoreInfo;
}

function dataLayers(request: Scatter): Layers {
  const { points, frontier, x } = request.plane;
  const encoding = { x: costEncoding(request), y: shareEncoding(request, "score") };
  return [
    {
      data: { values: stepsOf(frontier, x) },
      mark: { type: "line", interpolate: "step-after", color: ACCENT, strokeWidth: 1.5 },
      encoding,
    },
    {
      data: { values: points },
      mark: { type: "rule", opacity: 0.3 },
      encoding: { ...encoding, y: shareEncoding(request, "low"), y2: { field: "high" } },
    },
    {
      data: {
        // Efficient points come last, so that no other point covers them.
        values: [
          ...points.filter((point) => !frontier.includes(point)).map(filledWith(GROUND)),
          ...frontier.map(filledWith(ACCENT)),
        ],
      },
      mark: { type: "point", size: 60, stroke: ACCENT, strokeWidth: 1.5, opacity: 1 },
      encoding: { ...encoding, fill: { field: "fill", type: "nominal", scale: null } },
    },
  ];
}

function costEncoding({ plane: { x }, cost }: Scatter) {
  const type = x.isLog ? ("log" as const) : ("linear" as const);
  return {
    field: "cost",
    type: "quantitative" as const,
    scale: { type, domain: x.domain, nice: false },
    axis: {
      title: `${cost.label}, mean a run${x.isLog ? ", log scale" : ""}`,
      values: x.ticks,
      labelExpr: `format(datum.value, '${cost.unit === "usd" ? "$~r" : "~s"}')`,
    },
  };
}

function shareEncoding({ plane: { y }, score }: Scatter, field: "score" | "low") {
  return {
    field,
    type: "quantitative" as const,
    scale: { domain: y.domain, nice: false },
    axis: { title: score.label, values: y.ticks, format: ".1f" },
  };
}

function filledWith(fill: string) {
  return (point: ScatterPoint) => ({ ...point, fill });
}

/** The frontier, continued to the right edge. */
function stepsOf(frontier: ScatterPoint[], x: ValueAxis): CostPoint[] {
  const last = frontier.at(-1);
  return last ? [...frontier, { cost: x.domain[1], score: last.score }] : [];
}

function describe({ points, frontier, cost }: Plane & { cost: ScoreInfo }): string {
  const figures = points.map(
    (point) =>
      `${point.name} ${formatFigure(point.score, "share")} for ${formatFigure(point.cost, cost.unit)}`,
  );
  const efficient = frontier.map(({ name }) => name).join(", ");
  return `${figures.join("; ")}. On the efficient frontier: ${efficient}.`;
}
