import type { Row, Summary } from "../../summary/summary.js";
import { formatFigure } from "../figureText.js";
import { levelName, rowsOfLevel, type ScoreInfo, seriesName } from "../scores.js";
import type { Chart } from "./render.js";
import { seriesAxis } from "./seriesAxis.js";
import { ACCENT, THEME } from "./theme.js";

/** Width of a panel: four fit side by side on a wide page, and one on a phone. */
const WIDTH = 256;
const MOST_LABEL = 118;
const VALUE_WIDTH = 34;

/** A mean with its interval, as drawn in its row. */
interface Bar {
  row: number;
  mean: number;
  low: number;
  high: number;
  value: string;
}

/** Bars with intervals for one share at one level, one bar per graph and variant. */
export function levelBars(request: { summary: Summary; score: ScoreInfo; level: string }): Chart {
  const { summary, score, level } = request;
  const rows = rowsOfLevel(summary, level).filter((row) => row.aggregates[score.id] !== undefined);
  const bars = rows.flatMap((row, index) => barOf(row, index, score) ?? []);
  return {
    id: `bars-${score.id}-${summary.levels.indexOf(level) + 1}`,
    title: `${score.label}, ${levelName(level)}`,
    description: bars.map((bar) => describe(bar, rows[bar.row])).join("; "),
    spec: barsSpec(rows, bars),
  };
}

function barsSpec(rows: Row[], bars: Bar[]): Chart["spec"] {
  const { y, left, height } = seriesAxis(rows, MOST_LABEL);
  const width = WIDTH - left - VALUE_WIDTH;
  return {
    config: THEME,
    data: { values: bars },
    width,
    height,
    autosize: "none",
    padding: { left, right: VALUE_WIDTH, top: 4, bottom: 20 },
    layer: [
      {
        mark: { type: "bar", color: ACCENT, opacity: 0.55, height: 11 },
        encoding: { y, x: shareEncoding("mean") },
      },
      {
        mark: { type: "rule", strokeWidth: 1.5 },
        encoding: { y, x: shareEncoding("low"), x2: { field: "high" } },
      },
      {
        mark: { type: "text", align: "right", x: width + VALUE_WIDTH - 4 },
        encoding: { y, text: { field: "value", type: "nominal" } },
      },
    ],
  };
}

function shareEncoding(field: keyof Bar) {
  return {
    field,
    type: "quantitative" as const,
    scale: { domain: [0, 1] },
    axis: { title: null, values: [0, 0.5, 1], format: ".1~f" },
  };
}

function barOf(row: Row, index: number, score: ScoreInfo): Bar | undefined {
  const aggregate = row.aggregates[score.id];
  if (!aggregate) return undefined;
  const { mean, low, high } = aggregate;
  return { row: index, mean, low, high, value: formatFigure(mean, "share") };
}

function describe({ value, low, high }: Bar, row: Row | undefined): string {
  const [from, to] = [low, high].map((end) => formatFigure(end, "share"));
  return `${row ? seriesName(row) : ""} ${value} (${from} to ${to})`;
}
