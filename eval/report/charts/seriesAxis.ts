import type { SeriesName } from "../../summary/summary.js";
import { fitText, textWidth } from "./theme.js";

/** The axis on which each graph has a row: its labels and the room that they take, in pixels. */
export interface SeriesAxis {
  /** Room for the labels at the left. */
  left: number;
  /** Of all rows together. */
  height: number;
  /** For data with the number of their row in `row`. */
  y: {
    field: "row";
    type: "ordinal";
    axis: { title: null; ticks: false; domain: false; labelExpr: string; labelOffset: number };
  };
}

const ROW_HEIGHT = 20;
const LINE_HEIGHT = 12;

/**
 * A row for each graph, its settings on lines of their own below its name. Rows are told apart by
 * number, because labels that were cut may be alike.
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
        // Labels start at the middle of their row; with several lines they would hang below it.
        labelOffset: (-(mostLines - 1) * LINE_HEIGHT) / 2,
        labelExpr: `${JSON.stringify(labels)}[datum.value]`,
      },
    },
  };
}
