import type { SeriesName, StageShare, Summary } from "../../summary/summary.js";
import { formatCount } from "../figureText.js";
import { seriesName } from "../scores.js";
import type { Chart } from "./render.js";
import { seriesAxis } from "./seriesAxis.js";
import { COLOURS, GROUND, THEME } from "./theme.js";

const MOST_LABEL = 170;
const RIGHT = 56;

/** A stage with its colour. */
interface StageColour {
  stage: string;
  colour: string;
}

/** The stages of one graph under one variant, in the order of its run. */
interface StageRow extends SeriesName {
  shares: StageShare[];
  tokens: number;
}

/** The stages that used tokens, with their colours, in the order of the graph with the most stages. */
export function stageColours(summary: Summary): StageColour[] {
  const longestFirst = stageRows(summary).toSorted((a, b) => b.shares.length - a.shares.length);
  const shares = longestFirst.flatMap((row) => row.shares);
  return [...new Set(shares.map(({ stage }) => stage))].map((stage, index) => ({
    stage,
    colour: COLOURS[index % COLOURS.length] ?? "currentColor",
  }));
}

/** Tokens per run, stacked by stage, one bar per graph and variant. */
export function stageBars(summary: Summary, width: number): Chart {
  const rows = stageRows(summary);
  return {
    id: "stages",
    title: "Tokens of a run by stage",
    description: rows.map(describe).join("; "),
    spec: stackSpec(rows, stageColours(summary), width),
  };
}

function stackSpec(rows: StageRow[], colours: StageColour[], width: number): Chart["spec"] {
  const { y, left, height } = seriesAxis(rows, Math.min(MOST_LABEL, width * 0.4));
  const x = tokensEncoding(width);
  const stages = colours.map(({ stage }) => stage);
  const scale = { domain: stages, range: colours.map(({ colour }) => colour) };
  return {
    config: THEME,
    width: width - left - RIGHT,
    height,
    autosize: "none",
    padding: { left, right: RIGHT, top: 4, bottom: 20 },
    layer: [
      {
        data: { values: segmentsOf(rows, stages) },
        mark: { type: "bar", height: 13, stroke: GROUND, strokeWidth: 1 },
        encoding: {
          y,
          x: { ...x, stack: "zero" },
          order: { field: "order", type: "quantitative" },
          color: { field: "stage", type: "nominal", scale, legend: null },
        },
      },
      {
        data: {
          values: rows.map(({ tokens }, row) => ({ row, tokens, text: formatCount(tokens) })),
        },
        mark: { type: "text", align: "left", dx: 5 },
        encoding: { y, x, text: { field: "text", type: "nominal" } },
      },
    ],
  };
}

function tokensEncoding(width: number) {
  return {
    field: "tokens",
    type: "quantitative" as const,
    axis: {
      title: null,
      labelExpr: "format(datum.value, '~s')",
      tickCount: width > 500 ? 8 : 4,
    },
  };
}

function segmentsOf(rows: StageRow[], stages: string[]) {
  return rows.flatMap(({ shares }, row) =>
    shares.map((share) => ({
      row,
      stage: share.stage,
      order: stages.indexOf(share.stage),
      tokens: tokensOf(share),
    })),
  );
}

function stageRows({ stages }: Summary): StageRow[] {
  return [...new Set(stages.map(seriesName))].flatMap((name) => {
    const own = stages.filter((share) => seriesName(share) === name);
    const [first] = own;
    if (!first) return [];
    const { graph, variant } = first;
    const tokens = own.reduce((sum, share) => sum + tokensOf(share), 0);
    return { graph, variant, tokens, shares: own.filter((share) => tokensOf(share) > 0) };
  });
}

function describe(row: StageRow): string {
  const parts = row.shares.map((share) => `${share.stage} ${formatCount(tokensOf(share))}`);
  return `${seriesName(row)}: ${parts.join(", ") || "none"}`;
}

function tokensOf({ inputTokens, outputTokens }: StageShare): number {
  return inputTokens + outputTokens;
}
