import { grouped } from "../../common/grouped.js";
import type { ComparedCall, ComparedRun, ComparedSide, Verdict } from "./compareRuns.js";

/** The verdicts, best first, and what they are called. */
export const VERDICTS: Readonly<Record<Verdict, string>> = {
  same: "same",
  otherCalls: "other calls",
  different: "different",
  otherWrites: "other writes",
};

/** What replayed runs cost on average; dollars are null if a price is unknown. */
export interface ReplayCosts {
  modelCalls: number;
  tokens: number;
  toolCalls: number;
  usd: number | null;
}

/** The replayed runs of one graph under one variant of the settings. */
export interface ReplayRow {
  graph: string;
  variant: string;
  runs: number;
  verdicts: Record<Verdict, number>;
  /** Calls answered from a recording. */
  answered: number;
  /** Calls that no recording has, and that were not made. */
  unrecorded: number;
  /** Calls that were made for real. */
  live: number;
  before: ReplayCosts;
  now: ReplayCosts;
}

/** Counts and costs of replayed runs by graph and variant. */
export function replayRows(runs: readonly ComparedRun[]): ReplayRow[] {
  const series = grouped(runs, ({ graph, variant }) => JSON.stringify([graph, variant]));
  return [...series.values()].flatMap((each) => (each[0] ? [rowOf(each[0], each)] : []));
}

function rowOf({ graph, variant }: ComparedRun, runs: readonly ComparedRun[]): ReplayRow {
  const count = (verdict: Verdict) => runs.filter((run) => run.verdict === verdict).length;
  const sum = (of: (run: ComparedRun) => number) => runs.reduce((total, run) => total + of(run), 0);
  return {
    graph,
    variant,
    runs: runs.length,
    verdicts: {
      same: count("same"),
      otherCalls: count("otherCalls"),
      different: count("different"),
      otherWrites: count("otherWrites"),
    },
    answered: sum(({ now, unrecorded, live }) => now.calls.length - unrecorded - live),
    unrecorded: sum(({ unrecorded }) => unrecorded),
    live: sum(({ live }) => live),
    before: costsOf(runs.map(({ before }) => before)),
    now: costsOf(runs.map(({ now }) => now)),
  };
}

function costsOf(sides: readonly ComparedSide[]): ReplayCosts {
  const mean = (of: (side: ComparedSide) => number) =>
    sides.reduce((total, side) => total + of(side), 0) / sides.length;
  return {
    modelCalls: mean(({ usage }) => usage.modelCalls),
    tokens: mean(({ usage }) => usage.inputTokens + usage.outputTokens),
    toolCalls: mean(({ calls }) => calls.length),
    usd: sides.some(({ usd }) => usd === null) ? null : mean(({ usd }) => usd ?? 0),
  };
}

/** A call in one line; a write says so. */
export function callText({ tool, args, writes, error, unrecorded }: ComparedCall): string {
  const given = Object.entries(args).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const failed = unrecorded ? " · never recorded" : ` failed: ${error}`;
  const outcome = error === undefined ? "" : failed;
  return `${writes ? "writes " : ""}${tool}(${given.join(", ")})${outcome}`;
}
