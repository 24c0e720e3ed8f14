import type { BatchEnd } from "../../eval/runs/batch.js";
import type { ExperimentRun } from "../../eval/runs/runExperiment.js";
import type { Cell, Table } from "../../eval/report/tables/table.js";
import { printJson, printTable } from "../printing/print.js";
import { whileWorking } from "../printing/whileWorking.js";
import { reportProgress } from "./reportProgress.js";

/** What cancels an experiment, and what it reports its progress to. */
export type Watching = Pick<ExperimentRun, "signal" | "onProgress" | "announce">;

/** Makes the runs of an experiment and shows its progress. */
export async function watched(
  signal: AbortSignal,
  make: (watching: Watching) => Promise<BatchEnd>,
): Promise<BatchEnd> {
  const progress = reportProgress();
  const watching = { signal, onProgress: progress.update, announce: whileWorking };
  return await make(watching).finally(progress.stop);
}

/** What to do after an early end. */
export const GO_ON = "the same command continues where it stopped";

/** How a batch ended, and what to do next. */
export function endText({ end, folder }: { end: BatchEnd; folder: string }): string {
  if (end.kind === "done") return `Pictures and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${GO_ON}`;
  if (end.kind === "spent") {
    return `stopped by --max-usd: $${end.usd.toFixed(4)} spent; with a higher limit, ${GO_ON}`;
  }
  return `stopped because one run after another failed: ${end.reason}. Fix it, and ${GO_ON}`;
}

/** The command that makes a report again, with the options that were given. */
export function commandText(command: string, options: Record<string, unknown>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const flags = given.map(([name, value]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${flag} ${String(value)}`;
  });
  return [`tulipgraph eval ${command}`, ...flags].join(" ");
}

/** Prints the figures of a report as JSON, or its main table, and names the files with the rest. */
export function printReport(options: {
  figures: unknown;
  json?: boolean;
  table: Table;
  /** What a cell shows; by default its text. */
  shown?: (cell: Cell) => string;
  /** Lines after the table. */
  totals?: readonly string[];
  files: readonly string[];
}): void {
  const { figures, json, table, shown = ({ text }) => text, totals = [], files } = options;
  if (json) printJson(figures);
  else {
    const { columns, groups } = table;
    const isGrouped = table.grouping !== undefined;
    const rows = groups.flatMap(({ heading = "", rows }) =>
      rows.map(({ cells }) => [...(isGrouped ? [heading] : []), ...cells.map(shown)]),
    );
    const labels = columns.map(({ label, note }) => shown({ text: label, note }));
    printTable({ rows: [[...(isGrouped ? [""] : []), ...labels], ...rows] });
    if (totals.length > 0) process.stdout.write(`\n${totals.join("\n")}\n`);
  }
  for (const file of files) process.stderr.write(`wrote ${file}\n`);
}
