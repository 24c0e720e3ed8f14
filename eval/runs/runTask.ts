import { setTimeout as pause } from "node:timers/promises";
import { type ModelFailed, oneLine } from "../../common/errors.js";
import { withoutSecrets } from "../../common/secrets.js";
import { dollarsOf } from "../../models/prices.js";
import { parseSettings } from "../../state/settings.js";
import { NOTHING_USED, type PlanState, type ProgramState, type Usage } from "../../state/state.js";
import type { Benchmark } from "../benchmarks/benchmark.js";
import type { PlannedRun } from "./experiment.js";
import type { RunRecord } from "./runRecord.js";
import type { RunRequest, RunState, Runner } from "./runner.js";

/** An attempt to be made. */
export interface Attempt {
  planned: PlannedRun;
  /** From 1. */
  number: number;
  runner: Runner;
  world?: Benchmark["world"];
  signal: AbortSignal;
  onUsage?: (usage: Usage) => void;
  pauses: Pauses;
}

/** A wait of all runs for a provider. */
export interface Pause {
  ms: number;
  why: string;
}

/** When a provider may be asked again. */
export interface Pauses {
  wait: (signal: AbortSignal) => Promise<void>;
  begin: (ms: number, why: string) => void;
}

/** How many times in a row a run that meets a rate limit is resumed from its last checkpoint. */
const MOST_PAUSES = 8;

/** The first pause if the provider names none; each further one is twice as long. */
const FIRST_PAUSE_MS = 5000;

/** No pause is longer, whatever the provider says. */
const LONGEST_PAUSE_MS = 15 * 60_000;

/**
 * Makes one attempt at a run and returns its record. A run that breaks off has a record, too.
 *
 * @throws AttemptLost if it was interrupted where it cannot be resumed
 * @throws the reason of the signal when that is aborted
 */
export async function runTask(attempt: Attempt): Promise<RunRecord> {
  const { planned, number } = attempt;
  const startedAt = now();
  const state = await patientRunner(attempt).run(requestOf(attempt));
  const period = { startedAt, endedAt: now() };
  const record = recordOf({ planned, number, state, period });
  const { change } = state;
  return {
    ...record,
    stages: await Promise.all(
      record.stages.map(async (visit) => ({
        ...visit,
        usd: await dollarsOf({ ...record, usage: { ...visit, usd: undefined } }),
      })),
    ),
    usd: await dollarsOf(record),
    ...(change === undefined ? {} : { stateDiff: change }),
  };
}

function requestOf({ planned, number, world, signal, onUsage }: Attempt): RunRequest {
  const { id, graph, task, settings } = planned;
  const { query, recording } = task;
  return {
    graph,
    threadKey: number === 1 ? id : `${id} | attempt ${number}`,
    request: query,
    settings,
    ...(recording ? { recording } : {}),
    ...(world ? { world: { name: world.name, task: task.id } } : {}),
    signal,
    onUsage,
  };
}

/** The record of an attempt that was interrupted and could not be resumed. */
export function lostAttempt(options: {
  planned: PlannedRun;
  number: number;
  threadId: string;
  reason: string;
}): RunRecord {
  const { threadId, reason, ...attempt } = options;
  const state = { values: {}, stages: [], resumed: false, threadId, failure: reason };
  const period = { startedAt: now(), endedAt: now() };
  return recordOf({ ...attempt, state, period });
}

function recordOf(options: {
  planned: PlannedRun;
  number: number;
  state: RunState;
  period: Pick<RunRecord, "startedAt" | "endedAt">;
}): RunRecord {
  const { planned, number, state, period } = options;
  const { id, task, graph, variant, run } = planned;
  const settings = parseSettings(state.settings ?? planned.settings);
  const { model, embeddings, seed } = settings;
  const { values, stages, resumed, threadId, failure } = state;
  const { answer = "", subtasks = [], searches = [], calls = [], usage = NOTHING_USED } = values;
  return {
    id,
    task: task.id,
    graph,
    variant,
    run,
    settings,
    model,
    embeddings,
    seed,
    attempt: number,
    status: statusOf(state),
    answer,
    subtasks,
    searches,
    calls,
    ...demonstrationsOf(values),
    ...(values.plan ? { plan: recordedPlan(values.plan) } : {}),
    ...(values.program?.code ? { program: recordedProgram(values.program) } : {}),
    ...(values.ledger ? { ledger: values.ledger } : {}),
    usage,
    stages,
    usd: null,
    ...(failure === undefined ? {} : { error: reasonOf(failure) }),
    threadId,
    ...period,
    wallMs: Date.parse(period.endedAt) - Date.parse(period.startedAt),
    resumed,
  };
}

function demonstrationsOf({ demonstrations = [] }: RunState["values"]) {
  return demonstrations.length > 0
    ? { demonstrations: demonstrations.map(({ task }) => task) }
    : {};
}

function recordedPlan({ steps, answer, issues }: PlanState): RunRecord["plan"] {
  return { steps, answer, issues };
}

function recordedProgram({ code, repairs, issues, left }: ProgramState): RunRecord["program"] {
  return { code, repairs, issues, left };
}

/** A runner that pauses and resumes from the last checkpoint when a provider is overloaded. */
function patientRunner({ runner, pauses }: { runner: Runner; pauses: Pauses }): Runner {
  const run: Runner["run"] = async (request) => {
    for (let paused = 0; ; paused += 1) {
      await pauses.wait(request.signal);
      const state = await runner.run(request);
      const { failure } = state;
      const { details } = Object(failure) as Partial<Pick<ModelFailed, "details">>;
      const overloaded = details?.overloaded;
      if (!overloaded || paused === MOST_PAUSES) return state;
      const wanted = overloaded.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** paused;
      pauses.begin(Math.min(wanted, LONGEST_PAUSE_MS), reasonOf(failure));
    }
  };
  return { run };
}

/** A pause that begins less than this after another is not told anew. */
const SAME_PAUSE_MS = 1000;

/**
 * Pauses for all runs that share them.
 *
 * @param tell says how long all runs wait from now on, and why
 */
export function sharedPauses(tell: (pause: Pause) => void = () => undefined): Pauses {
  let until = 0;
  return {
    async wait(signal) {
      signal.throwIfAborted();
      while (until > elapsed()) await pause(until - elapsed(), undefined, { signal });
    },
    begin: (ms, why) => {
      const end = elapsed() + ms;
      if (end > until + SAME_PAUSE_MS) tell({ ms, why });
      until = Math.max(until, end);
    },
  };
}

function now(): string {
  return new Date().toISOString();
}

/** Milliseconds of a monotonic clock: the time of day may jump. */
function elapsed(): number {
  return performance.now();
}

/** A run that is still "running" broke off. */
function statusOf({ values, waiting, failure }: RunState): RunRecord["status"] {
  if (waiting) return "waiting";
  const { status = "running" } = values;
  return failure !== undefined || status === "running" ? "error" : status;
}

function reasonOf(failure: unknown): string {
  return withoutSecrets(oneLine(failure instanceof Error ? failure.message : String(failure)));
}
