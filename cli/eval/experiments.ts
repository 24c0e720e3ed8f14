import type { BatchEnd } from "../../eval/runs/batch.js";
import type { ExperimentRun } from "../../eval/runs/runExperiment.js";
import type { Cell, Table } from "../../eval/report/tables/table.js";
import { EXIT } from "../exit.js";
import { printJson, printTable } from "../print.js";
import { whileWorking } from "../whileWorking.js";
import { reportProgress } from "./reportProgress.js";

/** Does work that Ctrl-C ends. */
export async function untilCancelled<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", cancel);
  }
}

/** What ends an experiment, and whom it tells how far it is. */
export type Watching = Pick<ExperimentRun, "signal" | "onProgress" | "announce">;

/** Makes the runs of an experiment and shows how far it is. */
export async function watched(
  signal: AbortSignal,
  make: (watching: Watching) => Promise<BatchEnd>,
): Promise<BatchEnd> {
  const progress = reportProgress();
  const watching = { signal, onProgress: progress.update, announce: whileWorking };
  return await make(watching).finally(progress.stop);
}

/**
 * Makes the runs of several experiments, one experiment after another.
 *
 * @returns undefined when all have every result, else the exit code
 */
export async function makeAll(options: {
  experiments: readonly { name: string; make: (watching: Watching) => Promise<BatchEnd> }[];
  /** Where all of them go. */
  folder: string;
  signal: AbortSignal;
}): Promise<number | undefined> {
  const { experiments, folder, signal } = options;
  for (const { name, make } of experiments) {
    process.stderr.write(`${name} …\n`);
    const end = await watched(signal, make);
    if (end.kind === "done") continue;
    process.stderr.write(`${endText({ end, folder })}\n`);
    return end.kind === "cancelled" ? EXIT.cancelled : EXIT.notSolved;
  }
  return undefined;
}

/** What to do next after an end that is none. */
export const GO_ON = "the same command goes on where it stopped";

/** How a batch has ended, and what to do next. */
export function endText({ end, folder }: { end: BatchEnd; folder: string }): string {
  if (end.kind === "done") return `Pictures and every run: tulipgraph eval report ${folder}`;
  if (end.kind === "cancelled") return `cancelled; ${GO_ON}`;
  if (end.kind === "spent") {
    return `stopped by --max-usd: $${end.usd.toFixed(4)} are spent; ${GO_ON}, with a higher limit`;
  }
  return `stopped, since one run after another breaks off: ${end.reason}. Mend it, and ${GO_ON}`;
}

/** The command that makes a report again: options that were left out are left out. */
export function commandText(command: string, options: Record<string, unknown>): string {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  const flags = given.map(([name, value]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    return `--${flag} ${String(value)}`;
  });
  return [`tulipgraph eval ${command}`, ...flags].join(" ");
}

/** Prints the figures of a report, or its main table, and names the files that hold the rest. */
export function printReport(options: {
  figures: unknown;
  json?: boolean;
  table: Table;
  /** What a cell shows; its text alone when absent. */
  shown?: (cell: Cell) => string;
  /** Lines behind the table. */
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
