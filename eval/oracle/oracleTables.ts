import { formatCount, formatDecimal, formatFigure, formatPercent } from "../report/figureText.js";
import {
  type Column,
  column,
  row,
  type Table,
  type TableRow,
  textColumn,
} from "../report/tables/table.js";
import {
  BASELINE,
  type ExperimentFigures,
  type GraphFigures,
  type OracleFigures,
} from "./oracleFigures.js";

const LABEL: Column = textColumn("Graph");

const COSTS: readonly Column[] = [
  column("Tasks"),
  column("Success", "%"),
  column("Model calls"),
  column("Input tokens"),
  column("Input tokens", "successes"),
];

/** Success and cost of every graph on each benchmark. */
export function mainTable(figures: OracleFigures): Table {
  return table({
    caption: "All tasks",
    figures: partOf(figures, "main"),
    columns: [...COSTS],
    rowsOf: ({ graphs }) => graphs.map((each) => rowOf(each, costs(each))),
  });
}

/** The same for tasks with long plans, with the share of the baseline's tokens that each graph needs. */
export function longTable(figures: OracleFigures): Table {
  return table({
    caption: `Tasks of ${figures.longPlan} calls or more`,
    figures: partOf(figures, "main"),
    columns: [...COSTS, ...besideColumns("Tokens")],
    rowsOf: ({ long }) =>
      long.map((each) =>
        rowOf(each, [...costs(each), ...besideBaseline(each.ofBaseline.inputTokens, each)]),
      ),
  });
}

/** Wall time with slow models and tools. */
export function timeTable(figures: OracleFigures): Table {
  return table({
    caption: "Wall time",
    figures: partOf(figures, "time"),
    columns: [
      column("Tasks"),
      column("Success", "%"),
      column("Model calls"),
      column("Wall time"),
      ...besideColumns("Time"),
    ],
    rowsOf: ({ graphs }) =>
      graphs.map((each) =>
        rowOf(each, [
          formatCount(each.runs),
          formatPercent(each.success),
          formatDecimal(each.modelCalls, 2),
          formatFigure(each.wallMs, "ms"),
          ...besideBaseline(each.ofBaseline.wallMs, each),
        ]),
      ),
  });
}

/** Tokens and success against the size of the library. */
export function growthTable(figures: OracleFigures): Table {
  const grown = partOf(figures, "growth");
  const benchmarks = [...new Set(grown.map(({ benchmark }) => benchmark))];
  return {
    caption: "Growing libraries",
    grouping: "Benchmark",
    columns: [column("Tools"), LABEL, ...COSTS],
    groups: benchmarks.map((heading) => ({
      heading,
      rows: grown
        .filter(({ benchmark }) => benchmark === heading)
        .flatMap(({ tools, graphs }) =>
          graphs.map((each) => row([formatCount(tools), each.graph, ...costs(each)])),
        ),
    })),
  };
}

/** Why runs failed. */
export function failuresTable(figures: OracleFigures): Table {
  return table({
    caption: "Runs that did not succeed",
    figures: partOf(figures, "main"),
    columns: [textColumn("Why"), column("Runs"), textColumn("Tasks")],
    rowsOf: ({ failures }) =>
      failures.map(({ graph, failure, tasks }) =>
        row([graph, failure, formatCount(tasks.length), someOf(tasks)]),
      ),
  });
}

/** Most ids that are named. */
const NAMES_SHOWN = 4;

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).join(", ");
  return names.length > NAMES_SHOWN ? `${shown} …` : shown;
}

function partOf(
  { experiments }: OracleFigures,
  wanted: ExperimentFigures["part"],
): ExperimentFigures[] {
  return experiments.filter(({ part }) => part === wanted);
}

function table(options: {
  caption: string;
  figures: readonly ExperimentFigures[];
  columns: Column[];
  rowsOf: (figures: ExperimentFigures) => TableRow[];
}): Table {
  const { caption, figures, columns, rowsOf } = options;
  return {
    caption,
    grouping: "Benchmark",
    columns: [LABEL, ...columns],
    groups: figures.map((each) => ({
      heading: `${each.benchmark} (${formatCount(each.tools)} tools)`,
      rows: rowsOf(each),
    })),
  };
}

function rowOf({ graph }: GraphFigures, texts: readonly string[]): TableRow {
  return row([graph, ...texts]);
}

function costs(figures: GraphFigures): string[] {
  const { runs, success, modelCalls, inputTokens, inputTokensOfSuccesses } = figures;
  return [
    formatCount(runs),
    formatPercent(success),
    formatDecimal(modelCalls, 2),
    formatFigure(inputTokens, "tokens"),
    formatFigure(inputTokensOfSuccesses, "tokens"),
  ];
}

function besideColumns(label: string): Column[] {
  return [column(label, `of ${BASELINE}'s`), column("Tasks", "both succeed")];
}

function besideBaseline(ratio: number, { ofBaseline }: GraphFigures): string[] {
  return [formatFigure(ratio, "share"), formatCount(ofBaseline.tasks)];
}
