import { several } from "../../common/text.js";
import { formatCount, formatFigure } from "../report/figureText.js";
import {
  type Cell,
  cell,
  column,
  type Report,
  row,
  type Section,
  type Table,
} from "../report/report.js";
import type { Results } from "../runs/experimentFolder.js";
import { type ComparedCall, type ComparedRun, compareRuns, type Verdict } from "./compareRuns.js";
import type { RenamedParameters } from "./recording.js";
import {
  callText,
  type ReplayCosts,
  type ReplayRow,
  replayRows,
  VERDICTS,
} from "./replaySummary.js";

/** The report on a replay: how many runs were as recorded, costs before and after, and every other run side by side. */
export async function replayReport(results: Results): Promise<Report> {
  const { definition, startedAt, version } = results.experiment;
  const runs = await compareRuns(results);
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
        tables: [verdictTable(rows), costTable(rows)],
      },
      ...(["otherWrites", "different", "otherCalls"] as const).flatMap((verdict) =>
        runsSection(verdict, runs),
      ),
    ],
  };
}

/** Parameters with another name, which count as the same. */
export function renamedText(renamed: RenamedParameters): string {
  const names = Object.entries(renamed).map(([tool, { from, to }]) => `${tool}: ${from} → ${to}`);
  return names.join(", ") || "none";
}

/** What a replay found, in one sentence. */
export function replayFinding(runs: readonly ComparedRun[]): string {
  const alike = runs.filter(({ verdict }) => verdict === "same").length;
  const writing = runs.filter(({ verdict }) => verdict === "otherWrites").length;
  const made = runs.reduce((sum, { live }) => sum + live, 0);
  const others = writing === 0 ? "" : `; ${formatCount(writing)} would have written something else`;
  const calls = made === 0 ? "No tool was called." : `${several(made, "read")} made for real.`;
  return `${formatCount(alike)} of ${several(runs.length, "run")} made the same calls and gave the same answer${others}. ${calls}`;
}

const READING =
  "Same: the same calls and the same answer. Other calls: the same answer by other calls. The same answer is the same text, or other words for the same values (numbers, dates, ids, links, quotations, names). " +
  "Other writes are those that were made then and not now, or would have been made now and were not made then. Costs are " +
  "means of a run, then and now.";

function verdictTable(rows: readonly ReplayRow[]): Table {
  return {
    caption: "Replayed runs beside the recorded ones",
    columns: [
      column("Graph", "text"),
      column("Runs"),
      ...Object.values(VERDICTS).map((label) => column(label)),
      column("Calls answered"),
      column("Never recorded"),
      column("Made"),
    ],
    groups: [
      {
        rows: rows.map((each) =>
          row([
            nameOf(each),
            ...[each.runs, ...Object.values(each.verdicts)].map(formatCount),
            ...[each.answered, each.unrecorded, each.live].map(formatCount),
          ]),
        ),
      },
    ],
  };
}

function costTable(rows: readonly ReplayRow[]): Table {
  return {
    caption: "Costs of a run, then and now",
    columns: [
      column("Graph", "text"),
      column("Model calls"),
      column("Tokens"),
      column("Calls"),
      column("Dollars"),
    ],
    groups: [
      {
        rows: rows.map((each) =>
          row([
            nameOf(each),
            beside(each, ({ modelCalls }) => formatFigure(modelCalls, "count")),
            beside(each, ({ tokens }) => formatFigure(tokens, "tokens")),
            beside(each, ({ toolCalls }) => formatFigure(toolCalls, "count")),
            beside(each, ({ usd }) => (usd === null ? "unknown" : formatFigure(usd, "usd"))),
          ]),
        ),
      },
    ],
  };
}

function beside({ before, now }: ReplayRow, text: (costs: ReplayCosts) => string): string {
  return `${text(before)} → ${text(now)}`;
}

function nameOf({ graph, variant }: Pick<ReplayRow, "graph" | "variant">): string {
  return [graph, variant].filter(Boolean).join(" · ");
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
          cell(run.task, `${nameOf(run)} · ${run.request}`),
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
