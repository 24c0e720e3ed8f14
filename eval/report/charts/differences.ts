import type { ScoreComparison } from "../../summary/compareScore.js";
import { formatDifference, formatP } from "../figureText.js";
import { type ScoreInfo, seriesName } from "../scores.js";
import type { Chart } from "./render.js";
import { type SeriesAxis, seriesAxis } from "./seriesAxis.js";
import { ACCENT, GROUND, THEME } from "./theme.js";

const MOST_LABEL = 170;
const VALUE_WIDTH = 44;

/** A comparison as drawn in its row. */
interface Mark {
  row: number;
  difference: number;
  low: number;
  high: number;
  value: string;
  fill: string;
}

/** Differences of one score between two experiments with their intervals, one row per graph. */
export function differences(request: {
  score: ScoreInfo;
  comparisons: ScoreComparison[];
  width: number;
}): Chart {
  const { score, comparisons, width } = request;
  return {
    id: `differences-${score.id}`,
    title: `${score.label}: the second experiment less the first`,
    description: comparisons.map((each) => describe(each, score)).join("; "),
    spec: differencesSpec(
      seriesAxis(comparisons, Math.min(MOST_LABEL, width * 0.4)),
      comparisons.map((each, row) => markOf(each, row, score)),
      width,
    ),
  };
}

function differencesSpec(axis: SeriesAxis, marks: Mark[], width: number): Chart["spec"] {
  const { y, left, height } = axis;
  const inner = width - left - VALUE_WIDTH;
  const scale = { domain: symmetricDomain(marks), nice: false };
  const x = (field: "difference" | "low") => ({
    field,
    type: "quantitative" as const,
    scale,
    axis: { title: null, tickCount: width > 500 ? 8 : 4, format: "+.2~f" },
  });
  return {
    config: THEME,
    data: { values: marks },
    width: inner,
    height,
    autosize: "none",
    padding: { left, right: VALUE_WIDTH, top: 4, bottom: 20 },
    layer: [
      { mark: { type: "rule", opacity: 0.5 }, encoding: { x: { datum: 0 } } },
      {
        mark: { type: "rule", strokeWidth: 1.5 },
        encoding: { y, x: x("low"), x2: { field: "high" } },
      },
      {
        mark: { type: "point", size: 55, stroke: ACCENT, strokeWidth: 1.5, opacity: 1 },
        encoding: { y, x: x("difference"), fill: { field: "fill", type: "nominal", scale: null } },
      },
      {
        mark: { type: "text", align: "right", x: inner + VALUE_WIDTH - 2 },
        encoding: { y, text: { field: "value", type: "nominal" } },
      },
    ],
  };
}

function markOf(comparison: ScoreComparison, row: number, score: ScoreInfo): Mark {
  const { difference, interval, verdict } = comparison;
  return {
    row,
    difference,
    ...interval,
    value: formatDifference(difference, score.unit),
    fill: verdict === "within noise" ? GROUND : ACCENT,
  };
}

/** Zero is in the middle, so that gains and losses of the same size look alike. */
function symmetricDomain(marks: Mark[]): [number, number] {
  const most = Math.max(0.05, ...marks.flatMap(({ low, high }) => [Math.abs(low), Math.abs(high)]));
  return [-most * 1.05, most * 1.05];
}

function describe(comparison: ScoreComparison, { unit }: ScoreInfo): string {
  const { difference, p, verdict } = comparison;
  return `${seriesName(comparison)} ${formatDifference(difference, unit)}, p ${formatP(p)}, ${verdict}`;
}
