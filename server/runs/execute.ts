import { setTimeout as sleep } from "node:timers/promises";
import {
  type BaseStore,
  Command,
  END,
  INTERRUPT,
  RunControl,
  Send,
  isGraphDrained,
} from "@langchain/langgraph";
import { HandedOver } from "../../common/orAborted.js";
import { givenFields } from "../../common/givenFields.js";
import type { AgentGraph } from "../../graphs/compile.js";
import { ASKED_KEY, QuestionClosed } from "../../graphs/openQuestions.js";
import { projectGraph } from "../../graphs/projects.js";
import { BEHALF_KEY, type Behalf } from "../../tools/remote.js";
import { HoldLost, ThreadHeld } from "../../tools/calls/journal/threadHolds.js";
import { isUnavailable } from "../../storage/postgres/unavailable.js";
import { errorOf } from "../api/requests.js";
import { KEY_REVOKED } from "../access/revocations.js";
import { HttpProblem } from "../problem.js";
import { ExchangeLog } from "./exchanges.js";
import type { EventLog } from "./runEvents.js";
import { type CancelAction, type RunOrder, actorOf, orderOf } from "./runRow.js";
import { type Use, wholeUse } from "./runUse.js";
import { METADATA_KEY, type ServedGraphs, lastRunOf, restOf } from "./servedGraphs.js";
import { protocolParts } from "./protocolParts.js";
import { streamParts } from "./streamParts.js";
import type { TakenRun } from "./queueRows.js";
import type { Access } from "../access/access.js";
import type { ServerStore } from "../schema.js";
import type { Telemetry } from "../telemetry/telemetry.js";

/** How often a run tries again while another process holds its thread, in milliseconds. */
const HELD_RETRY_MS = 250;

/** How long a run that was taken over waits at the least, in milliseconds: longer than a connection may hang. */
const HANGING_MS = 60_000;

/** Starts of a run that may fail one after another without getting it any further, before it ends with an error. */
export const MOST_STARTS = 5;

/**
 * Why work on a run is stopped: it was cancelled, its tokens are used up, its key was revoked, another process has it, this
 * one closes.
 */
type StopReason = CancelAction | "spent" | "revoked" | "lost" | "closing";

/** The handle by which a process stops its work on a run. */
export type RunStop = ReturnType<typeof makeRunStop>;

export function makeRunStop() {
  const abort = new AbortController();
  const control = new RunControl();
  let reason: StopReason | undefined;
  return {
    signal: abort.signal,
    control,
    /** Undefined as long as nothing has stopped it. */
    reason: (): StopReason | undefined => reason,
    /** Stops at once, or for `spent` and `closing` at the next checkpoint; `closing` a second time stops at once. */
    stop: (wanted: StopReason) => {
      const isFinal = reason !== undefined && reason !== "closing";
      if (isFinal && wanted !== "lost") return;
      const isAgain = reason === wanted;
      reason = wanted;
      if (wanted === "spent" || (wanted === "closing" && !isAgain)) control.requestDrain(wanted);
      else if (wanted === "lost" || wanted === "closing") abort.abort(new HandedOver(wanted));
      else abort.abort(new Error(`the run was stopped: ${wanted}`));
    },
  };
}

/**
 * How the work ended. `given up`: any process goes on with the run, at once if this one closes, else after a while, and
 * counted · `gone`: another process has it.
 */
export type Ending =
  | { status: "success" | "interrupted"; thread: "idle" | "interrupted"; use?: Use }
  | { status: "error"; error: string; thread?: "idle" | "interrupted" }
  | { status: "rollback" }
  | { status: "given up"; isClosing: boolean }
  | { status: "gone" };

/**
 * Works on a run of the queue: runs its graph, from its input or, if another process has begun it, from its last
 * checkpoint. Its events go to the log; the caller tells the queue how it ended.
 */
export async function execute(work: {
  server: { data: ServerStore; access: Access; telemetry: Telemetry };
  graphs: ServedGraphs;
  /** What an owner's runs remember beyond their threads. */
  storeOf: (owner: string) => BaseStore;
  run: TakenRun;
  stop: RunStop;
  log: EventLog;
  /** How long another process may still hold the thread (ms), or the holder's lease if that is longer. */
  patienceMs: number;
  /** Tokens that it had used before this attempt. */
  tokensUsed: number;
  /** Starts before this one that have not got the run any further. */
  failedStarts: number;
}): Promise<Ending> {
  const { server, run, stop } = work;
  const unwatch = server.access.revocations.watch(run.caller, () => stop.stop("revoked"));
  try {
    return await workedOn(work);
  } finally {
    unwatch();
  }
}

async function workedOn(work: Work): Promise<Ending> {
  const { run, stop, log, failedStarts } = work;
  try {
    await isWithdrawn(work);
    const asked = run.cancel as CancelAction | null;
    if (asked) stop.stop(asked);
    const values = stop.reason() === undefined ? await workPatiently(work) : undefined;
    return (await stoppedEnding(work)) ?? (await settle(work, values));
  } catch (error) {
    const stopped = await stoppedEnding(work);
    if (stopped) return stopped;
    const isSpent = stop.reason() === "spent";
    const isClosing = stop.reason() === "closing";
    const isLast = failedStarts + 1 >= MOST_STARTS && isUnavailable(error);
    if (!isSpent && !isLast && isGivenUp(stop, error)) return { status: "given up", isClosing };
    const failure = errorOf(isSpent ? tokensSpent(run) : error);
    await log.publish("error", failure);
    const ending = { status: "error", error: failure.message } as const;
    // The thread is as it was before.
    return error instanceof QuestionClosed ? { ...ending, thread: await restAfter(work) } : ending;
  }
}

/** Stops a run whose key is revoked. @returns whether it is */
async function isWithdrawn({ server, run, stop }: Work): Promise<boolean> {
  const isRevoked = await server.access.revocations.isRevoked(run.caller);
  if (isRevoked) stop.stop("revoked");
  return isRevoked;
}

async function restAfter({ graphs, run }: Work): Promise<"idle" | "interrupted"> {
  const { graph_id, config } = orderOf(run);
  const graph = await graphs.open(graph_id, config);
  return restOf(await graph.getState({ configurable: { thread_id: run.thread_id } }));
}

function tokensSpent(run: TakenRun): HttpProblem {
  return new HttpProblem({
    status: 402,
    problem: `the ${orderOf(run).tokens} tokens that the day's budget set aside for this run are used up`,
    hint: "Continue the thread with another run",
  });
}

type Work = Parameters<typeof execute>[0];

/** How a run ended that was cancelled, whose key was revoked, or that another process has. */
async function stoppedEnding(work: Work): Promise<Ending | undefined> {
  const reason = work.stop.reason();
  if (reason === "revoked") {
    await work.log.publish("error", KEY_REVOKED);
    return { status: "error", error: KEY_REVOKED.message, thread: await restAfter(work) };
  }
  if (reason === "rollback") return { status: "rollback" };
  if (reason === "interrupt") return { status: "interrupted", thread: "idle" };
  return reason === "lost" ? { status: "gone" } : undefined;
}

function isGivenUp(stop: RunStop, error: unknown): boolean {
  // Whoever has taken its thread over goes on with it; a server that was halted may not know of that yet.
  const isElsewhere = isGraphDrained(error) || error instanceof HoldLost;
  return stop.reason() === "closing" || isElsewhere || isUnavailable(error);
}

/** Waits for a thread that another process holds. If that process has died, its lease runs out. */
async function workPatiently(work: Work): Promise<Values | undefined> {
  const since = Date.now();
  while (true) {
    try {
      return await runGraph(work);
    } catch (error) {
      if (!(error instanceof ThreadHeld) || work.stop.signal.aborted) throw error;
      const { leaseMs = 0 } = error.details.owner;
      // A run that was taken over waits longer, in case the other process only hangs, or its connections do.
      const [factor, least] = work.run.hasBegun ? [10, HANGING_MS] : [2, 0];
      const patience = Math.max(least, factor * Math.max(work.patienceMs, leaseMs));
      if (Date.now() - since > patience) throw error;
    }
    await sleep(HELD_RETRY_MS);
  }
}

type Values = Record<string, unknown>;

const WITHOUT_STREAM = { stream_mode: ["values" as const], subgraphs: false };

/** @returns the last values, unless the run waits for somebody, or nothing tells */
async function runGraph(work: Work): Promise<Values | undefined> {
  const { server, graphs, run, stop, log, tokensUsed } = work;
  const { run_id: runId, thread_id: threadId } = run;
  const order = orderOf(run);
  const graph = await graphs.open(order.graph_id, order.config);
  const saver = graphs.saver();
  // If it has saved a checkpoint, its input is already in the state.
  const goesOn = run.hasBegun && (await lastRunOf(saver, threadId)).runId === runId;
  const exchanges = new ExchangeLog(server, runId);
  const { graph_id, traceparent, tokens = Infinity } = order;
  let left = tokens - tokensUsed;
  const followed = server.telemetry.follow(
    { runId, threadId, graph: graph_id, queuedMs: run.queuedMs, traceparent },
    (event) => {
      if (event.kind !== "model") return;
      exchanges.keep(event);
      left -= event.inputTokens + event.outputTokens;
      // No more than was set aside for it, so that many at once do not overspend.
      if (left <= 0 && event.error === undefined) stop.stop("spent");
    },
  );
  let values: Values | undefined;
  let isPaused = false;
  try {
    await log.publish("metadata", { run_id: runId, attempt: run.attempts });
    if (endsThread(order)) {
      await graph.updateState({ configurable: { thread_id: threadId } }, null, END);
      followed.end({ status: "success" });
      return undefined;
    }
    const input = goesOn ? null : inputOf(order);
    const options = {
      ...optionsOf(work, order, goesOn),
      signal: stop.signal,
      control: stop.control,
      callbacks: followed.callbacks,
    };
    const streamed = order.is_streamed ? order : WITHOUT_STREAM;
    const parts = order.is_protocol
      ? protocolParts({ graph, graphId: graph_id, input, options })
      : streamParts({ graph, input, options, order: streamed });
    for await (const { event, data } of parts) {
      if (event === "values") values = data as Values;
      isPaused ||= INTERRUPT in Object(data);
      if (order.is_streamed) await log.publish(event, data);
    }
    followed.end({ status: "success" });
    return isPaused ? undefined : values;
  } catch (error) {
    followed.end({ status: statusOf(stop, error), error: errorOf(error).message });
    throw error;
  } finally {
    await exchanges.end();
  }
}

/** How the work ended in this process, for traces, metrics and logs. */
function statusOf(stop: RunStop, error: unknown): string {
  const reason = stop.reason();
  if (reason === "interrupt" || reason === "rollback") return "interrupted";
  return reason === "lost" || isGivenUp(stop, error) ? "given up" : "error";
}

type GraphOptions = NonNullable<Parameters<AgentGraph["stream"]>[1]>;

function optionsOf(work: Work, order: RunOrder, goesOn: boolean) {
  const { run } = work;
  const { run_id: runId, thread_id, assistant_id, caller } = run;
  const owner = actorOf(run);
  const isGranted = work.server.access.grantedTo(order.grantee ?? { owner, scopes: [] });
  const behalf: Behalf = { owner, threadOwner: run.owner, caller, isGranted };
  const { config, context, checkpoint, asked, graph_id } = order;
  const metadata = JSON.parse(run.metadata) as object;
  // Without any, LangGraph takes what a graph of a project calls its context from `configurable`.
  const isGiven = !projectGraph(graph_id) || Object.keys(context).length > 0;
  const options = {
    runId,
    context: isGiven ? context : undefined,
    store: work.storeOf(run.owner),
    tags: config.tags,
    metadata: { ...metadata, run_attempt: run.attempts },
    configurable: {
      ...config.configurable,
      ...(goesOn ? {} : checkpoint),
      thread_id,
      run_id: runId,
      run_attempt: String(run.attempts),
      graph_id,
      assistant_id,
      [METADATA_KEY]: metadata,
      // Set last and always, so that nobody else can say in whose name a run acts.
      [BEHALF_KEY]: { ...behalf, isWithdrawn: () => isWithdrawn(work) },
      [ASKED_KEY]: goesOn ? undefined : asked,
    },
    recursionLimit: config.recursion_limit,
    maxConcurrency: config.max_concurrency,
    runName: config.run_name,
    interruptBefore: order.interrupt_before,
    interruptAfter: order.interrupt_after,
    // Anything less would lose checkpoints that another process goes on from.
    durability: "sync",
  } satisfies GraphOptions;
  // An undefined limit would replace the graph's own.
  return { runId, ...givenFields(options) };
}

/** Whether all that a run does is to give up what waits on its thread, as front ends mark a request as resolved. */
function endsThread({ command }: RunOrder): boolean {
  const { goto, ...rest } = command ?? {};
  const isAlone = Object.values(rest).every((value) => value === undefined);
  const places = [goto ?? []].flat();
  return isAlone && places.length === 1 && places[0] === END;
}

/** What a run begins with, as LangGraph takes it. */
function inputOf({ command: asked, input = null }: RunOrder): Parameters<AgentGraph["stream"]>[0] {
  if (!asked) return input as Parameters<AgentGraph["stream"]>[0];
  const { goto, ...command } = asked;
  const destinations = goto === undefined ? [] : [goto].flat();
  return new Command({
    ...command,
    goto: destinations.map((to) => (typeof to === "string" ? to : new Send(to.node, to.input))),
  });
}

/**
 * Publishes the result of a run, and finds the status of its thread.
 *
 * @param known the last values, if the run waits for nobody
 */
async function settle({ graphs, run, log }: Work, known: Values | undefined): Promise<Ending> {
  const order = orderOf(run);
  if (known && !order.is_streamed) {
    await log.publish("values", known);
    return { status: "success", thread: "idle", use: wholeUse(run, known) };
  }
  const graph = await graphs.open(order.graph_id, order.config);
  const state = await graph.getState({ configurable: { thread_id: run.thread_id } });
  const interrupts = state.tasks.flatMap((task) => task.interrupts ?? []);
  const values: Values = { ...state.values };
  if (!order.is_streamed)
    await log.publish(
      "values",
      interrupts.length > 0 ? { ...values, [INTERRUPT]: interrupts } : values,
    );
  return { status: "success", thread: restOf(state), use: wholeUse(run, values) };
}
