import type { SeriesName } from "../../summary/summary.js";
import { fitText, textWidth } from "./theme.js";

/** An axis with a row for each graph. Sizes are in pixels. */
export interface SeriesAxis {
  /** Width of the labels. */
  left: number;
  /** Height of all rows together. */
  height: number;
  /** For data with their row number in `row`. */
  y: {
    field: "row";
    type: "ordinal";
    axis: { title: null; ticks: false; domain: false; labelExpr: string; labelOffset: number };
  };
}

const ROW_HEIGHT = 20;
const LINE_HEIGHT = 12;

/**
 * A row for each graph, with its settings on separate lines below its name. Rows are identified by number, because
 * truncated labels may be equal.
 */
export function seriesAxis(series: readonly SeriesName[], mostLabel: number): SeriesAxis {
  const labels = series.map(({ graph, variant }) =>
    [graph, ...variant.split(" ")]
      .filter((line) => line !== "")
      .map((line) => fitText(line, mostLabel)),
  );
  const widths = labels.flat().map(textWidth);
  const mostLines = Math.max(1, ...labels.map((lines) => lines.length));
  return {
    left: Math.max(0, ...widths) + 8,
    height: Math.max(1, series.length) * (ROW_HEIGHT + (mostLines - 1) * LINE_HEIGHT),
    y: {
      field: "row",
      type: "ordinal",
      axis: {
        title: null,
        ticks: false,
        domain: false,
        // Labels start at the middle of their row, so those of several lines are moved up.
        labelOffset: (-(mostLines - 1) * LINE_HEIGHT) / 2,
        labelExpr: `${JSON.stringify(labels)}[datum.value]`,
      },
    },
  };
}
