import type { Summary } from "../summary/summarizeRuns.js";
import { type Chart, COLOURS } from "./charts.js";
import { formatFigure } from "./figureText.js";
import { figuresOf, type ScoreInfo } from "./scores.js";

/** A point of a line: a score of a graph under one value of a setting. */
export interface LinePoint {
  /** The graph, with the other settings that vary. */
  line: string;
  at: number;
  mean: number;
  low: number;
  high: number;
}

/** The settings that take several numbers in an experiment, such as the budget (BTP, figures 2 and 3). */
export function numericSettings(summary: Summary): string[] {
  const variants = [...new Set(summary.rows.map(({ variant }) => variant))].map(valuesOf);
  const names = [...new Set(variants.flatMap((values) => [...values.keys()]))];
  return names.filter((name) => {
    const numbers = variants.map((values) => numberOf(values.get(name)));
    return numbers.every(Number.isFinite) && new Set(numbers).size > 1;
  });
}

/** The points of one score over a setting, by graph and the other settings. */
export function linePoints(summary: Summary, score: ScoreInfo, setting: string): LinePoint[] {
  return figuresOf(summary, score).map(({ row: { graph, variant }, mean, low, high }) => {
    const values = valuesOf(variant);
    const others = [...values].filter(([name]) => name !== setting);
    const line = [graph, ...others.map(([name, value]) => `${name}=${value}`)].join(" ");
    return { line, at: numberOf(values.get(setting)), mean, low, high };
  });
}

/** One line for each graph over the values of a setting, with intervals. */
export function lineChart(points: LinePoint[], score: ScoreInfo, setting: string): Chart {
  const x = {
    field: "at",
    type: "quantitative" as const,
    scale: { zero: false },
    axis: { title: setting, values: [...new Set(points.map(({ at }) => at))], format: "~r" },
  };
  const y = (field: "mean" | "low") => ({
    field,
    type: "quantitative" as const,
    axis: { title: score.label, tickCount: 5, format: score.unit === "share" ? ".6~f" : "~s" },
  });
  const color = {
    field: "line",
    type: "nominal" as const,
    scale: { range: COLOURS },
    legend: { title: null, symbolOpacity: 1 },
  };
  const figures = points.map(
    ({ line, at, mean }) => `${line} at ${at}: ${formatFigure(mean, score.unit)}`,
  );
  return {
    id: `lines-${setting}-${score.id}`,
    title: `${score.label} by ${setting}`,
    description: figures.join("; "),
    spec: {
      width: 340,
      height: 200,
      data: { values: points },
      layer: [
        {
          mark: { type: "rule", opacity: 0.3 },
          encoding: { x, y: y("low"), y2: { field: "high" }, color },
        },
        {
          mark: { type: "line", strokeWidth: 1.5, point: { size: 40 } },
          encoding: { x, y: y("mean"), color },
        },
      ],
    },
  };
}

function valuesOf(variant: string): Map<string, string> {
  return new Map(
    variant.split(" ").flatMap((part) => {
      const at = part.indexOf("=");
      return at < 1 ? [] : [[part.slice(0, at), part.slice(at + 1)] as const];
    }),
  );
}

/** Budgets in dollars are numbers, too. */
function numberOf(value: string | undefined): number {
  return value ? Number(value.replace(/^\$/, "")) : Number.NaN;
}
