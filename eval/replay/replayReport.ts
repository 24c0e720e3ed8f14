import { grouped } from "../../common/grouped.js";
import { several } from "../../common/text.js";
import { formatCount, formatFigure } from "../report/figureText.js";
import {
  type Cell,
  cell,
  column,
  columnsOf,
  type Filled,
  type Report,
  rowFor,
  type Section,
  type Table,
} from "../report/report.js";
import { seriesName } from "../report/scores.js";
import type { Results } from "../runs/experimentFolder.js";
import { mean, sum } from "../statistics/descriptive.js";
import type { ComparedCall, ComparedRun, ComparedSide, Verdict } from "./compareRuns.js";
import type { RenamedParameters } from "./recording.js";

/** The verdicts, best first, and what they are called. */
const VERDICTS: Readonly<Record<Verdict, string>> = {
  same: "same",
  otherCalls: "other calls",
  different: "different",
  otherWrites: "other writes",
};

/** The report on a replay: how many runs were as recorded, costs before and after, and every other run side by side. */
export function replayReport(results: Results, runs: readonly ComparedRun[]): Report {
  const { definition, startedAt, version } = results.experiment;
  const rows = replayRows(runs);
  const { name, source } = definition.benchmark;
  return {
    title: `Replay of ${several(results.tasks.length, "recorded run")} of ${name}`,
    finding: replayFinding(runs),
    warnings: [],
    facts: [
      {
        entries: [
          ["Recordings", source],
          ["Settings", JSON.stringify(definition.settings)],
          ["Made for real", definition.replay?.live ? "reads that were never recorded" : "nothing"],
          ["Renamed parameters", renamedText(definition.replay?.renamed ?? {})],
          ["Started", startedAt],
          ["Version", `tulipgraph ${version}`],
        ],
      },
    ],
    sections: [
      {
        id: "results",
        title: "Results",
        note: READING,
        tables: [
          tableOf("Replayed runs beside the recorded ones", VERDICT_COLUMNS, rows),
          tableOf("Costs of a run, then and now", COST_COLUMNS, rows),
        ],
      },
      ...(["otherWrites", "different", "otherCalls"] as const).flatMap((verdict) =>
        runsSection(verdict, runs),
      ),
    ],
  };
}

/** The replayed runs of one graph under one variant of the settings. */
export type ReplayRow = ReturnType<typeof replayRows>[number];

/** Counts and costs of replayed runs by graph and variant. */
export function replayRows(all: readonly ComparedRun[]) {
  return Array.from(grouped(all, seriesName).values(), (runs) => {
    const { graph = "", variant = "" } = runs[0] ?? {};
    const total = (of: (run: ComparedRun) => number) => sum(runs.map(of));
    const verdicts = Object.keys(VERDICTS).map((each) => [
      each,
      runs.filter(({ verdict }) => verdict === each).length,
    ]);
    return {
      graph,
      variant,
      runs: runs.length,
      verdicts: Object.fromEntries(verdicts) as Record<Verdict, number>,
      /** Calls answered from a recording. */
      answered: total(({ now, unrecorded, live }) => now.calls.length - unrecorded - live),
      /** Calls that no recording has, and that were not made. */
      unrecorded: total(({ unrecorded }) => unrecorded),
      /** Calls that were made for real. */
      live: total(({ live }) => live),
      before: costsOf(runs.map(({ before }) => before)),
      now: costsOf(runs.map(({ now }) => now)),
    };
  });
}

/** What runs cost on average. */
function costsOf(sides: readonly ComparedSide[]) {
  return {
    modelCalls: mean(sides.map(({ usage }) => usage.modelCalls)),
    tokens: mean(sides.map(({ usage }) => usage.inputTokens + usage.outputTokens)),
    toolCalls: mean(sides.map(({ calls }) => calls.length)),
    /** Null if a price is unknown. */
    usd: sides.some(({ usd }) => usd === null) ? null : mean(sides.map(({ usd }) => usd ?? 0)),
  };
}

/** Parameters with another name, which count as the same. */
function renamedText(renamed: RenamedParameters): string {
  const names = Object.entries(renamed).map(([tool, { from, to }]) => `${tool}: ${from} → ${to}`);
  return names.join(", ") || "none";
}

/** What a replay found, in one sentence. */
function replayFinding(runs: readonly ComparedRun[]): string {
  const alike = runs.filter(({ verdict }) => verdict === "same").length;
  const writing = runs.filter(({ verdict }) => verdict === "otherWrites").length;
  const made = sum(runs.map(({ live }) => live));
  const others = writing === 0 ? "" : `; ${formatCount(writing)} would have written something else`;
  const calls = made === 0 ? "No tool was called." : `${several(made, "read")} made for real.`;
  return `${formatCount(alike)} of ${several(runs.length, "run")} made the same calls and gave the same answer${others}. ${calls}`;
}

const READING =
  "Same: the same calls and the same answer. Other calls: the same answer by other calls. The same answer is the same text, or other words for the same values (numbers, dates, ids, links, quotations, names). " +
  "Other writes are those that were made then and not now, or would have been made now and were not made then. Costs are " +
  "means of a run, then and now.";

const VERDICT_COLUMNS: Filled<ReplayRow>[] = [
  ["Graph", "text", seriesName],
  ["Runs", "number", ({ runs }) => formatCount(runs)],
  ...Object.entries(VERDICTS).map(([verdict, label]): Filled<ReplayRow> => [
    label,
    "number",
    ({ verdicts }) => formatCount(verdicts[verdict as Verdict]),
  ]),
  ["Calls answered", "number", ({ answered }) => formatCount(answered)],
  ["Never recorded", "number", ({ unrecorded }) => formatCount(unrecorded)],
  ["Made", "number", ({ live }) => formatCount(live)],
];

const COST_COLUMNS: Filled<ReplayRow>[] = [
  ["Graph", "text", seriesName],
  ["Model calls", "number", (row) => beside(row, (one) => formatFigure(one.modelCalls, "count"))],
  ["Tokens", "number", (row) => beside(row, (one) => formatFigure(one.tokens, "tokens"))],
  ["Calls", "number", (row) => beside(row, (one) => formatFigure(one.toolCalls, "count"))],
  [
    "Dollars",
    "number",
    (row) => beside(row, ({ usd }) => (usd === null ? "unknown" : formatFigure(usd, "usd"))),
  ],
];

function tableOf(caption: string, columns: Filled<ReplayRow>[], rows: readonly ReplayRow[]): Table {
  const groups = [{ rows: rows.map((each) => rowFor(columns, each)) }];
  return { caption, columns: columnsOf(columns), groups };
}

function beside({ before, now }: ReplayRow, text: (costs: ReplayRow["now"]) => string): string {
  return `${text(before)} → ${text(now)}`;
}

/** The runs of one verdict, then beside now. */
function runsSection(verdict: Verdict, runs: readonly ComparedRun[]): Section[] {
  const those = runs.filter((run) => run.verdict === verdict);
  if (those.length === 0) return [];
  const table: Table = {
    caption: `${several(those.length, "run")}: ${VERDICTS[verdict]}`,
    columns: [column("Run", "text"), column("Then", "prose"), column("Now", "prose")],
    groups: [
      {
        rows: those.map((run) => [
          cell(run.task, `${seriesName(run)} · ${run.request}`),
          sideCell(run.before, run.missing),
          sideCell({ ...run.now, answer: run.failure ?? run.now.answer }, run.further),
        ]),
      },
    ],
  };
  const title = VERDICTS[verdict];
  return [
    { id: verdict, title: `${title.charAt(0).toUpperCase()}${title.slice(1)}`, tables: [table] },
  ];
}

function sideCell(
  { status, answer }: { status: string; answer: string },
  only: readonly ComparedCall[],
): Cell {
  const calls = only.map(callText).join(" · ");
  return calls === "" ? cell(`${status}: ${answer}`) : cell(calls, `${status}: ${answer}`);
}

/** A call in one line; a write says so. */
function callText({ tool, args, writes, error, unrecorded }: ComparedCall): string {
  const given = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const failed = unrecorded ? " · never recorded" : ` failed: ${error}`;
  const outcome = error === undefined ? "" : failed;
  return `${writes ? "writes " : ""}${tool}(${given.join(", ")})${outcome}`;
}
