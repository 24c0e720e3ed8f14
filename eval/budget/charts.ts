import type { TopLevelSpec } from "vega-lite";
import type { Estimate } from "../statistics/bootstrap.js";
import type { BudgetFigures, ConditionFigures } from "./budgetFigures.js";
import { type BudgetVariant, STRATEGIES } from "./strategies.js";

/** A chart in a file of its own. */
export interface BudgetChart {
  /** File name without extension. */
  name: string;
  /** The alternative text. */
  title: string;
  spec: TopLevelSpec;
}

const ORACLE = "oracle";

/**
 * What a line or a point stands for, in the order of the legend. People with any kind of colour vision can
 * distinguish these colours (Okabe and Ito 2008).
 */
const SERIES_COLOURS: Record<BudgetVariant | typeof ORACLE, string> = {
  plain: "#0072B2",
  "+Prompt": "#E69F00",
  "+BTP": "#009E73",
  "+Prompt+BTP": "#CC79A7",
  replanned: "#D55E00",
  [ORACLE]: "#777777",
};

/** Size of each panel, in pixels. */
const WIDTH = 210;
const HEIGHT = 220;

/** All charts of the report. */
export function budgetCharts(figures: BudgetFigures): BudgetChart[] {
  return [byBudget(figures), byThreshold(figures), passedAgainstCost(figures)];
}

/** PBC against the budget, a panel for each strategy. */
function byBudget({ budgets, oracleByBudget }: BudgetFigures): BudgetChart {
  const limits = STRATEGIES.flatMap(({ name }) =>
    oracleByBudget.map(({ budget, passedWithinBudget }) => ({
      strategy: name,
      series: ORACLE,
      x: budget,
      y: passedWithinBudget,
    })),
  );
  const points = budgets.filter(isKnown).map((condition) => ({
    ...labelled(condition),
    x: condition.budget,
    y: condition.passedWithinBudget.mean,
  }));
  return {
    name: "budget-sweep",
    title: "Share of requests passed within the budget (PBC) against the budget R",
    spec: panels({ values: [...points, ...limits], x: "budget R, units", y: "PBC" }),
  };
}

/** PBC against the threshold τ, a panel for each strategy. */
function byThreshold({ thresholds }: BudgetFigures): BudgetChart {
  const values = thresholds.filter(isKnown).map((condition) => ({
    ...labelled(condition),
    x: condition.threshold,
    y: condition.passedWithinBudget.mean,
  }));
  return {
    name: "budget-threshold",
    title: "Share of requests passed within the budget (PBC) against the threshold τ",
    spec: panels({ values, x: "threshold τ", y: "PBC" }),
  };
}

/** PR against AC of the main comparison. */
function passedAgainstCost({ main, oracle }: BudgetFigures): BudgetChart {
  const limit = { strategy: ORACLE, series: ORACLE, x: oracle.cost, y: oracle.passedWithinBudget };
  const values = main.filter(isKnown).map((condition) => ({
    ...labelled(condition),
    x: condition.cost.mean,
    y: condition.passed.mean,
    ...ends("x", condition.cost),
    ...ends("y", condition.passed),
  }));
  const shapes = [...STRATEGIES.map(({ name }) => name), ORACLE];
  const x = { field: "x", type: "quantitative" as const, title: "AC, units a request" };
  const y = {
    field: "y",
    type: "quantitative" as const,
    title: "PR",
    axis: SHARE_AXIS,
    scale: { zero: false },
  };
  return {
    name: "budget-cost",
    title: "Share of requests passed (PR) against their average cost (AC), with 95 % intervals",
    spec: {
      config: CONFIG,
      width: 2 * WIDTH,
      height: 1.4 * HEIGHT,
      data: { values: [...values, limit] },
      encoding: { color: colourOf(() => true) },
      layer: [
        { mark: RULE, encoding: { x: { ...x, field: "xLow" }, x2: { field: "xHigh" }, y } },
        { mark: RULE, encoding: { x, y: { ...y, field: "yLow" }, y2: { field: "yHigh" } } },
        {
          mark: { type: "point", filled: true, size: 90, opacity: 1 },
          encoding: {
            x,
            y,
            shape: {
              field: "strategy",
              type: "nominal",
              title: null,
              scale: { domain: shapes, range: ["circle", "square", "triangle-up", "diamond"] },
            },
          },
        },
      ],
    },
  };
}

function ends(axis: "x" | "y", { low, high }: Estimate): Record<string, number> {
  return { [`${axis}Low`]: low, [`${axis}High`]: high };
}

function isKnown({ requests }: ConditionFigures): boolean {
  return requests > 0;
}

/** The strategy and the variant of a graph. */
function labelled({ graph }: ConditionFigures): { strategy: string; series: string } {
  const strategy = STRATEGIES.find(({ graphs }) => graphs.some((each) => each.graph === graph));
  const found = strategy?.graphs.find((each) => each.graph === graph);
  return { strategy: strategy?.name ?? graph, series: found?.variant ?? graph };
}

function panels(options: {
  values: Record<string, unknown>[];
  x: string;
  y: string;
}): TopLevelSpec {
  const { values, x, y } = options;
  const present = new Set(values.map(({ series }) => series));
  return {
    config: CONFIG,
    data: { values },
    facet: {
      column: {
        field: "strategy",
        type: "nominal",
        title: null,
        sort: STRATEGIES.map(({ name }) => name),
      },
    },
    spec: {
      width: WIDTH,
      height: HEIGHT,
      mark: { type: "line", point: true, strokeWidth: 1.8 },
      encoding: {
        x: { field: "x", type: "quantitative", title: x },
        y: {
          field: "y",
          type: "quantitative",
          title: y,
          scale: { domain: [0, 1] },
          axis: SHARE_AXIS,
        },
        color: colourOf((series) => present.has(series)),
        strokeDash: {
          condition: { test: `datum.series === '${ORACLE}'`, value: [4, 3] },
          value: [1, 0],
        },
      },
    },
  };
}

const SHARE_AXIS = { format: ".0%" };

const RULE = { type: "rule" as const, opacity: 0.45 };

/** Colours of the shown series; the legend has no others. */
function colourOf(isShown: (series: string) => boolean) {
  const shown = Object.entries(SERIES_COLOURS).filter(([series]) => isShown(series));
  return {
    field: "series",
    type: "nominal" as const,
    title: null,
    scale: {
      domain: shown.map(([series]) => series),
      range: shown.map(([, colour]) => colour),
    },
  };
}

/** Dark on white, wherever the file is shown. */
const CONFIG: TopLevelSpec["config"] = {
  background: "#ffffff",
  font: "sans-serif",
  padding: 12,
  view: { stroke: "#dddddd" },
  axis: { gridColor: "#eeeeee", titleFontWeight: "normal" },
  header: { labelFontSize: 12, labelFontWeight: "bold" },
};
