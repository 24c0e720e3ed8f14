import pMap from "p-map";
import { tellingProgress } from "../../common/longWork.js";
import { dollarsOf } from "../../models/prices.js";
import { parseSettings } from "../../state/settings.js";
import type { Usage } from "../../state/state.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import type { PlannedRun } from "./experiment.js";
import type { ExperimentFolder } from "./experimentFolder.js";
import type { RunRecord } from "./runRecord.js";
import { lostAttempt, type Pause, runTask, sharedPauses } from "./runTask.js";
import { AttemptLost, type Runner } from "./runner.js";

/** Why a batch has ended; `done` if every run has a result, `cancelled` by the user. */
export type BatchEnd =
  | { kind: "done" }
  | { kind: "cancelled" }
  | { kind: "spent"; usd: number }
  | { kind: "failing"; reason: string };

export interface Batch {
  planned: readonly PlannedRun[];
  folder: ExperimentFolder;
  runner: Runner;
  world?: Benchmark["world"];
  concurrency: number;
  /** No stage starts once this many dollars are spent. */
  maxUsd?: number;
  signal: AbortSignal;
  onPause?: (pause: Pause) => void;
}

/** This many runs in a row that break off for the same reason end the batch: the next ones would too. */
const MOST_FAILURES = 5;

/** Attempts at one run that may be lost in one start. */
const MOST_LOST = 5;

/**
 * Makes all runs of a batch that have no result yet, several at a time, and resumes those that an earlier process left
 * unfinished. Results are written at once; runs stopped by Ctrl-C or the spending limit keep their checkpoints.
 */
export async function runBatch(batch: Batch): Promise<BatchEnd> {
  const ledger = openLedger(batch);
  const open = batch.planned.filter(({ id }) => !ledger.hasResult(id));
  const work = { label: "running", unit: "runs", total: open.length } as const;
  return await tellingProgress(work, (tell) => {
    return makeRuns(batch, { ledger, open, tell: () => tell(ledger.progress()) });
  });
}

async function makeRuns(
  batch: Batch,
  { ledger, open, tell }: { ledger: Ledger; open: readonly PlannedRun[]; tell: () => void },
): Promise<BatchEnd> {
  const { concurrency, signal, onPause } = batch;
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const pauses = sharedPauses(onPause);
  let end: BatchEnd = { kind: "done" };
  const endWith = (why: BatchEnd) => {
    if (!stop.signal.aborted) end = why;
    stop.abort();
  };
  const look = () => {
    tell();
    const why = ledger.reasonToStop();
    if (why) endWith(why);
  };
  look();
  const makeRun = async (run: PlannedRun) => {
    if (stopped.aborted) return;
    const onUsage = (usage: Usage) => void ledger.spend(run, usage).then(look, endWithError);
    // A signal of its own, so that its listeners go away with the run.
    const own = AbortSignal.any([stopped]);
    await attemptRun({ batch, run, ledger, signal: own, onUsage, pauses });
    look();
  };
  let failure: unknown;
  const endWithError = (error: unknown) => {
    failure ??= error;
    stop.abort();
  };
  await pMap(open, (run) => makeRun(run).catch(endWithError), { concurrency });
  if (failure !== undefined && !isAbort(failure, stopped)) throw failure;
  return signal.aborted ? { kind: "cancelled" } : end;
}

/** Makes attempts until one ends, or until too many are lost: then the next start tries again. */
async function attemptRun(options: {
  batch: Batch;
  run: PlannedRun;
  ledger: Ledger;
  signal: AbortSignal;
  onUsage: (usage: Usage) => void;
  pauses: ReturnType<typeof sharedPauses>;
}): Promise<void> {
  const { batch, run: planned, ledger, signal, onUsage, pauses } = options;
  const { runner, world } = batch;
  for (let lost = 0; lost < MOST_LOST; lost += 1) {
    const number = ledger.attempts(planned.id) + 1;
    try {
      ledger.note(await runTask({ planned, number, runner, world, signal, onUsage, pauses }));
      return;
    } catch (error) {
      if (!(error instanceof AttemptLost)) throw error;
      const { threadId, reason } = error;
      ledger.note(lostAttempt({ planned, number, threadId, reason }), true);
    }
  }
}

function isAbort(error: unknown, signal: AbortSignal): boolean {
  return signal.aborted && error instanceof Error && error.name === "AbortError";
}

type Ledger = ReturnType<typeof openLedger>;

/** Counts results, attempts and dollars of a batch, including earlier starts. */
function openLedger({ planned, folder, maxUsd }: Batch) {
  const ids = new Set(planned.map(({ id }) => id));
  const last = new Map<string, RunRecord>();
  const attempts = new Map<string, number>();
  const underWay = new Map<string, number>();
  let spent = 0;
  let failuresInARow: string[] = [];
  const count = (record: RunRecord) => {
    if (!ids.has(record.id)) return;
    last.set(record.id, record);
    attempts.set(record.id, (attempts.get(record.id) ?? 0) + 1);
    spent += record.usd ?? 0;
  };
  for (const record of folder.records) count(record);
  const before = [...last.values()].filter(({ error }) => error === undefined).length;
  const usd = () => [...underWay.values()].reduce((sum, each) => sum + each, spent);
  return {
    /** A run that broke off has no result and is tried again at the next start. */
    hasResult: (id: string) => last.has(id) && last.get(id)?.error === undefined,
    attempts: (id: string) => attempts.get(id) ?? 0,
    /** @param isLost an earlier process broke it off, which is not a failure of this start */
    note(record: RunRecord, isLost = false) {
      folder.append(record);
      underWay.delete(record.id);
      count(record);
      if (isLost) return;
      failuresInARow = record.error === undefined ? [] : [...failuresInARow, record.error];
    },
    async spend({ id, settings }: PlannedRun, usage: Usage) {
      const attempt = attempts.get(id);
      const { model, embeddings } = parseSettings(settings);
      const dollars = (await dollarsOf({ model, embeddings, usage })) ?? 0;
      // If the attempt has ended meanwhile, its record counts.
      if (attempts.get(id) === attempt) underWay.set(id, dollars);
    },
    reasonToStop(): BatchEnd | undefined {
      if (maxUsd !== undefined && usd() >= maxUsd) return { kind: "spent", usd: usd() };
      const recent = failuresInARow.slice(-MOST_FAILURES);
      const [reason] = recent;
      const alike = recent.length === MOST_FAILURES && recent.every((each) => each === reason);
      return alike && reason !== undefined ? { kind: "failing", reason } : undefined;
    },
    /** Of this start; runs of unknown price are left out of the dollars. */
    progress() {
      const ended = [...last.values()];
      const failed = ended.filter(({ error }) => error !== undefined).length;
      const note = [`$${usd().toFixed(4)}`, ...(failed > 0 ? [`${failed} failed`] : [])].join(
        " · ",
      );
      return { done: ended.length - failed - before, note };
    },
  };
}
