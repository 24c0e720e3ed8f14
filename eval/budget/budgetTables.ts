import {
  formatCount,
  formatDecimal,
  formatP,
  formatPercent,
  formatSigned,
  NO_FIGURE,
} from "../report/figureText.js";
import {
  type Cell,
  cell,
  column,
  row,
  type Table,
  type TableRow,
  textColumn,
} from "../report/tables/table.js";
import type { Estimate } from "../statistics/bootstrap.js";
import type {
  BudgetFigures,
  ConditionFigures,
  OracleFigures,
  AllowanceFigures,
} from "./budgetFigures.js";
import { BTP_PAPER, PUBLISHED_PLAN, publishedBudgetFigures } from "./publishedBudget.js";
import { STRATEGIES } from "./strategies.js";

/** Label of published figures. */
const PUBLISHED = `published (${BTP_PAPER})`;

const ORACLE = "oracle";

/** All graphs under the main budget, with the published averages and the upper limit. */
export function mainTable({ main, oracle }: BudgetFigures): Table {
  const rows = (names: readonly string[]) =>
    main
      .filter(({ graph }) => names.includes(graph))
      .flatMap((figures) => [mainRow(figures), ...publishedRow(figures)]);
  return {
    caption: "All graphs under one budget",
    grouping: "Strategy",
    columns: [
      textColumn("Graph"),
      column("PR", "%"),
      column("PBC", "%"),
      column("AC", "units"),
      column("RFBC", "%"),
      column("#Use"),
    ],
    groups: [
      ...STRATEGIES.map(({ name, graphs }) => ({
        heading: name,
        rows: rows(graphs.map(({ graph }) => graph)),
      })),
      { heading: "upper limit", rows: [oracleRow(oracle)] },
    ],
  };
}

function mainRow({ graph, passed, passedWithinBudget, cost, overBudget, uses }: ConditionFigures) {
  return row([
    graph,
    shareCell(passed),
    shareCell(passedWithinBudget),
    amountCell(cost),
    shareCell(overBudget),
    amountCell(uses),
  ]);
}

function publishedRow({ graph }: ConditionFigures): TableRow[] {
  const figures = publishedBudgetFigures(graph);
  if (!figures) return [];
  const { passedWithinBudget, cost, overBudget } = figures;
  const over = overBudget === undefined ? NO_FIGURE : formatPercent(overBudget);
  const texts = [
    PUBLISHED,
    NO_FIGURE,
    formatPercent(passedWithinBudget),
    amount(cost),
    over,
    NO_FIGURE,
  ];
  return [{ ...row(texts), published: true }];
}

function oracleRow({ passedWithinBudget, cost, uses }: OracleFigures): TableRow {
  const limit = formatPercent(passedWithinBudget);
  return row([ORACLE, limit, limit, amount(cost), formatPercent(0), amount(uses)]);
}

/** What was granted and what was used. */
export function allowancesTable({ allowances }: BudgetFigures): Table {
  const { cost, calls } = PUBLISHED_PLAN;
  const published = [PUBLISHED, NO_FIGURE, amount(cost), NO_FIGURE, amount(calls), NO_FIGURE];
  return {
    caption: "Granted and actual use",
    columns: [
      textColumn("Graph"),
      column("Requests"),
      column("Granted cost", "units"),
      column("Actual cost", "units"),
      column("Granted calls"),
      column("Actual calls"),
    ],
    groups: [
      {
        rows: [...allowances.map(allowanceRow), { ...row(published), published: true }],
      },
    ],
  };
}

function allowanceRow({
  graph,
  requests,
  grantedCost,
  cost,
  grantedCalls,
  uses,
}: AllowanceFigures) {
  return row([
    graph,
    formatCount(requests),
    amountCell(grantedCost),
    amountCell(cost),
    amountCell(grantedCalls),
    amountCell(uses),
  ]);
}

/** The paired tests of the main comparison. */
export function testsTable({ tests }: BudgetFigures): Table {
  return {
    caption: "PBC of each graph that keeps its budget against the one that ignores it",
    columns: [
      textColumn("Graph"),
      textColumn("Against"),
      column("Requests"),
      column("Differing"),
      column("Difference of PBC", "points"),
      column("p"),
    ],
    groups: [
      {
        rows: tests.map(({ graph, against, pairs, differing, meanDifference, p }) =>
          row([
            graph,
            against,
            formatCount(pairs),
            formatCount(differing),
            formatSigned(meanDifference, formatPercent),
            formatP(p),
          ]),
        ),
      },
    ],
  };
}

/** A figure of a sweep: a table of graphs by the swept values. */
interface SweptFigure {
  caption: string;
  read: (figures: ConditionFigures) => Estimate;
  kind: "share" | "amount";
}

export const SWEPT_FIGURES: readonly SweptFigure[] = [
  { caption: "PBC, %", read: ({ passedWithinBudget }) => passedWithinBudget, kind: "share" },
  { caption: "PR, %", read: ({ passed }) => passed, kind: "share" },
  { caption: "AC, units", read: ({ cost }) => cost, kind: "amount" },
  { caption: "RFBC, %", read: ({ overBudget }) => overBudget, kind: "share" },
];

/** One figure of every graph under each budget. */
export function budgetsTable(figures: BudgetFigures, swept: SweptFigure): Table {
  const { budgets, oracleByBudget } = figures;
  const isLimit = swept === SWEPT_FIGURES[0];
  const limits = oracleByBudget.map(({ passedWithinBudget }) => formatPercent(passedWithinBudget));
  return sweptTable({
    swept,
    cells: budgets,
    valueOf: ({ budget }) => budget,
    label: (budget) => `R = ${budget}`,
    more: isLimit ? [row([ORACLE, ...limits])] : [],
  });
}

/** One figure of every graph with allowances, at each threshold. */
export function thresholdsTable({ thresholds }: BudgetFigures, swept: SweptFigure): Table {
  return sweptTable({
    swept,
    cells: thresholds,
    valueOf: ({ threshold }) => threshold,
    label: (threshold) => `τ = ${threshold}`,
    more: [],
  });
}

function sweptTable(options: {
  swept: SweptFigure;
  cells: readonly ConditionFigures[];
  valueOf: (cell: ConditionFigures) => number;
  label: (value: number) => string;
  more: readonly TableRow[];
}): Table {
  const { swept, cells, valueOf, label, more } = options;
  const values = [...new Set(cells.map(valueOf))];
  const graphs = [...new Set(cells.map(({ graph }) => graph))];
  const shown = swept.kind === "share" ? shareCell : amountCell;
  const graphRow = (graph: string) =>
    row([
      graph,
      ...values.flatMap((value) =>
        cells
          .filter((each) => each.graph === graph && valueOf(each) === value)
          .map((each) => shown(swept.read(each))),
      ),
    ]);
  return {
    caption: swept.caption,
    columns: [textColumn("Graph"), ...values.map((value) => column(label(value)))],
    groups: [{ rows: [...graphs.map(graphRow), ...more] }],
  };
}

function shareCell(estimate: Estimate): Cell {
  return estimateCell(estimate, formatPercent);
}

function amountCell(estimate: Estimate): Cell {
  return estimateCell(estimate, amount);
}

/** An interval of zero width is left out. */
function estimateCell({ mean, low, high }: Estimate, text: (value: number) => string): Cell {
  const isWide = text(low) !== text(high);
  return isWide ? cell(text(mean), `${text(low)} to ${text(high)}`) : cell(text(mean));
}

function amount(value: number): string {
  return formatDecimal(value, 1);
}
