import { z } from "zod";
import { readAsWritten } from "../../common/dataFile.js";
import type { StageShare, Summary } from "../summary/summarizeRuns.js";
import { formatCount, formatFigure } from "./figureText.js";
import { type Markup, markup, trusted } from "./markup.js";
import { figuresOf, levelName, type ScoreInfo, seriesName } from "./scores.js";
import type { Config, TopLevelSpec } from "./vega.js";

/** A chart with its alternative text. */
export interface Chart {
  spec: TopLevelSpec;
  /** Unique within the page. */
  id: string;
  title: string;
  description: string;
}

/** Colours are custom properties, which the page sets for light and dark mode. */
export const COLOURS = [1, 2, 3, 4, 5, 6].map((number) => `var(--series-${number})`);
export const ACCENT = "var(--accent)";
export const GROUND = "var(--ground)";

/**
 * Text and lines in the text colour of the page, and no frame. Labels are never cut: Vega overestimates the width of text
 * and would drop labels that fit.
 */
const THEME: Config = {
  ...readAsWritten(new URL("theme.json", import.meta.url), z.custom<Config>()),
  background: undefined,
};

/** Draws a chart as an SVG element that shrinks with its box and uses the colours of the page. */
export async function drawChart({ spec, id, title, description }: Chart): Promise<Markup> {
  // Loading takes half a second, and only reports need it.
  const { View, compile, parse } = await import("./vega.js");
  const view = new View(parse(compile({ config: THEME, ...spec }).spec), { renderer: "none" });
  const svg = await view.toSVG();
  view.finalize();
  const size = /^<svg[^>]* width="([\d.]+)" height="([\d.]+)"[^>]*>/.exec(svg);
  if (!size) throw new Error("vega draws SVG without a size at its start");
  const [opening, width, height] = size;
  return markup`<svg role="img" aria-labelledby="${id}-title ${id}-desc" viewBox="0 0 ${width} ${height}" style="width:${width}px">
<title id="${id}-title">${title}</title>
<desc id="${id}-desc">${description}</desc>
${trusted(svg.slice(opening.length))}`;
}

/** An axis with a row for each graph; its settings stand on lines of their own below its name. */
function rowsOf(names: readonly string[]) {
  const lines = names.map((name) => name.replace(" · ", " ").split(" ").length);
  const mostLines = Math.max(1, ...lines);
  const y = {
    field: "name",
    type: "nominal" as const,
    sort: null,
    axis: {
      title: null,
      ticks: false,
      domain: false,
      labelExpr: "split(replace(datum.label, ' · ', ' '), ' ')",
      // Labels start at the middle of their row, so those of several lines are moved up.
      labelOffset: -6 * (mostLines - 1),
    },
  };
  return { y, height: { step: 8 + 12 * mostLines } };
}

/** An axis for shares, with room for a figure beyond 1. */
function shareAxis(field: "mean" | "low" | "high") {
  return {
    field,
    type: "quantitative" as const,
    scale: { domain: [0, 1.3] },
    axis: { title: null, values: [0, 0.5, 1], format: ".1~f" },
  };
}

/** Bars with intervals for one share at one level, one bar per graph and variant. */
export function levelBars(request: { summary: Summary; score: ScoreInfo; level: string }): Chart {
  const { summary, score, level } = request;
  const bars = figuresOf(summary, score, level).map(({ row, mean, low, high }) => {
    return { name: seriesName(row), mean, low, high, value: formatFigure(mean, "share") };
  });
  const { y, height } = rowsOf(bars.map(({ name }) => name));
  return {
    id: `bars-${score.id}-${summary.levels.indexOf(level) + 1}`,
    title: `${score.label}, ${levelName(level)}`,
    description: bars
      .map(({ name, value, low, high }) => {
        return `${name} ${value} (${formatFigure(low, "share")} to ${formatFigure(high, "share")})`;
      })
      .join("; "),
    spec: {
      data: { values: bars },
      width: 140,
      height,
      layer: [
        {
          mark: { type: "bar", color: ACCENT, opacity: 0.55, height: 11 },
          encoding: { y, x: shareAxis("mean") },
        },
        {
          mark: { type: "rule", strokeWidth: 1.5 },
          encoding: { y, x: shareAxis("low"), x2: { field: "high" } },
        },
        {
          mark: { type: "text", align: "left", dx: 5 },
          encoding: { y, x: shareAxis("high"), text: { field: "value", type: "nominal" } },
        },
      ],
    },
  };
}

/** Tokens of a run, stacked by stage, one bar per graph and variant. */
export function stageBars({ stages }: Summary): Chart {
  const shares = stages.filter((share) => tokensOf(share) > 0);
  const names = [...new Set(shares.map(seriesName))];
  const sums = names.map((name) => {
    const own = shares.filter((share) => seriesName(share) === name);
    const parts = own.map((share) => `${share.stage} ${formatCount(tokensOf(share))}`);
    const tokens = own.reduce((sum, share) => sum + tokensOf(share), 0);
    return { name, tokens, value: formatCount(tokens), parts: parts.join(", ") };
  });
  const { y, height } = rowsOf(names);
  const x = {
    field: "tokens",
    type: "quantitative" as const,
    axis: { title: null, labelExpr: "format(datum.value, '~s')", tickCount: 6 },
  };
  const stageNames = [...new Set(shares.map(({ stage }) => stage))];
  return {
    id: "stages",
    title: "Tokens of a run by stage",
    description: sums.map(({ name, parts }) => `${name}: ${parts}`).join("; "),
    spec: {
      width: 440,
      height,
      layer: [
        {
          data: {
            values: shares.map((share) => ({
              name: seriesName(share),
              stage: share.stage,
              tokens: tokensOf(share),
              order: stageNames.indexOf(share.stage),
            })),
          },
          mark: { type: "bar", height: 13, stroke: GROUND, strokeWidth: 1 },
          encoding: {
            y,
            x: { ...x, stack: "zero" },
            order: { field: "order", type: "quantitative" },
            color: {
              field: "stage",
              type: "nominal",
              scale: { domain: stageNames, range: COLOURS },
              legend: { title: null },
            },
          },
        },
        {
          data: { values: sums },
          mark: { type: "text", align: "left", dx: 5 },
          encoding: { y, x, text: { field: "value", type: "nominal" } },
        },
      ],
    },
  };
}

function tokensOf({ inputTokens, outputTokens }: StageShare): number {
  return inputTokens + outputTokens;
}
