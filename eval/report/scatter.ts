import type { Summary } from "../summary/summarizeRuns.js";
import { ACCENT, type Chart, GROUND } from "./charts.js";
import { formatFigure } from "./figureText.js";
import { figuresOf, type ScoreInfo, seriesName } from "./scores.js";

/** A graph under one variant of the settings: its correctness and cost over all tasks. */
export interface ScatterPoint {
  name: string;
  score: number;
  cost: number;
  low: number;
  high: number;
}

export function scatterPoints(summary: Summary, score: ScoreInfo, cost: ScoreInfo): ScatterPoint[] {
  return figuresOf(summary, score).flatMap(({ row, mean, low, high }) => {
    const paid = row.aggregates[cost.id];
    return paid ? [{ name: seriesName(row), score: mean, cost: paid.mean, low, high }] : [];
  });
}

/** The points that no other point beats in cost or score without being worse in the other; cheapest first. */
export function paretoFrontier<Point extends Pick<ScatterPoint, "score" | "cost">>(
  points: readonly Point[],
): Point[] {
  const cheapestFirst = points.toSorted((a, b) => a.cost - b.cost || b.score - a.score);
  const frontier: Point[] = [];
  for (const point of cheapestFirst) {
    const best = frontier.at(-1);
    const isEqual = best && best.cost === point.cost && best.score === point.score;
    if (!best || isEqual || point.score > best.score) frontier.push(point);
  }
  return frontier;
}

/** From this ratio of the largest to the smallest cost on, a linear axis would crowd the small ones. */
const LOG_FROM = 12;

/** Correctness against cost, with the efficient frontier as a line of steps; points have their numbers from 1. */
export function scatter(points: ScatterPoint[], score: ScoreInfo, cost: ScoreInfo): Chart {
  const frontier = paretoFrontier(points);
  const costs = points.map((point) => point.cost);
  const isLog = Math.min(...costs) > 0 && Math.max(...costs) / Math.min(...costs) >= LOG_FROM;
  const x = {
    field: "cost",
    type: "quantitative" as const,
    scale: isLog ? logScale(costs) : { zero: true },
    axis: {
      title: `${cost.label}, mean a run${isLog ? ", log scale" : ""}`,
      labelExpr: `format(datum.value, '${cost.unit === "usd" ? "$~r" : "~s"}')`,
      labelOverlap: true,
      ...(isLog ? { values: logTicks(costs) } : { tickCount: 6 }),
    },
  };
  const y = (field: "score" | "low") => ({
    field,
    type: "quantitative" as const,
    scale: { zero: false },
    // Enough decimals for ticks that lie close together.
    axis: { title: score.label, format: ".6~f", tickCount: 6 },
  });
  const labels = labelsOf(points, isLog);
  const numbered = points.map((point, index) => ({
    ...point,
    label: labels.get(index) ?? "",
    fill: frontier.includes(point) ? ACCENT : GROUND,
  }));
  const figures = points.map(
    (point) =>
      `${point.name} ${formatFigure(point.score, "share")} for ${formatFigure(point.cost, cost.unit)}`,
  );
  const efficient = frontier.map(({ name }) => name).join(", ");
  return {
    id: "scatter",
    title: `${score.label} against ${cost.label}`,
    description: `${figures.join("; ")}. On the efficient frontier: ${efficient}.`,
    spec: {
      width: 560,
      height: 280,
      data: { values: numbered },
      layer: [
        {
          data: { values: frontier },
          mark: { type: "line", interpolate: "step-after", color: ACCENT, strokeWidth: 1.5 },
          encoding: { x, y: y("score") },
        },
        {
          mark: { type: "rule", opacity: 0.3 },
          encoding: { x, y: y("low"), y2: { field: "high" } },
        },
        {
          mark: { type: "point", size: 60, stroke: ACCENT, strokeWidth: 1.5, opacity: 1 },
          encoding: { x, y: y("score"), fill: { field: "fill", type: "nominal", scale: null } },
        },
        {
          mark: { type: "text", align: "left", dx: 7, dy: -6 },
          encoding: { x, y: y("score"), text: { field: "label", type: "nominal" } },
        },
      ],
    },
  };
}

/** Points nearer than this share of the chart's width, and twice as much of its height, would hide each other's numbers. */
const CLOSE = 0.025;

function isNear(values: readonly number[], share: number, one: number, other: number): boolean {
  const distance = Math.abs((values[one] ?? 0) - (values[other] ?? 0));
  return distance <= share * (Math.max(...values) - Math.min(...values));
}

/** The numbers of points by their places; those that lie close together stand at the last of them. */
function labelsOf(points: readonly ScatterPoint[], isLog: boolean): Map<number, string> {
  const across = points.map(({ cost }) => (isLog ? Math.log(cost) : cost));
  const up = points.map(({ score }) => score);
  const groups: number[][] = [];
  for (const at of [...points.keys()].toSorted((a, b) => (across[a] ?? 0) - (across[b] ?? 0))) {
    const near = groups.find((group) =>
      group.some((one) => isNear(across, CLOSE, one, at) && isNear(up, 2 * CLOSE, one, at)),
    );
    if (near) near.push(at);
    else groups.push([at]);
  }
  return new Map(
    groups.map((group) => [
      group.at(-1) ?? 0,
      group
        .toSorted((a, b) => a - b)
        .map((at) => at + 1)
        .join(", "),
    ]),
  );
}

function logScale(costs: readonly number[]) {
  return {
    type: "log" as const,
    nice: false,
    domain: [Math.min(...costs) / 1.5, Math.max(...costs) * 1.5],
  };
}

/** Round numbers: a logarithmic axis would otherwise label whichever of its many ticks have room. */
function logTicks(costs: readonly number[]): number[] {
  const [from, to] = [Math.min(...costs), Math.max(...costs)].map(Math.log10);
  const decades = Array.from({ length: Math.ceil(to ?? 0) - Math.floor(from ?? 0) + 1 });
  return decades.flatMap((_, at) => {
    const decade = 10 ** (Math.floor(from ?? 0) + at);
    return [decade, 3 * decade];
  });
}
