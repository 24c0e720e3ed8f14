import { setTimeout as sleep } from "node:timers/promises";
import { Command, RunControl, Send, isGraphDrained } from "@langchain/langgraph";
import type { AgentGraph } from "../../graphs/compile.js";
import { ThreadHeld } from "../../tools/runtime/threadHolds.js";
import { isAway } from "../../storage/away.js";
import { errorOf } from "../api/json.js";
import type { Server } from "../server.js";
import { ItemStore } from "./itemStore.js";
import type { EventLog } from "./runEvents.js";
import { type CancelAction, type RunCommand, type RunOrder, orderOf } from "./runRow.js";
import { type ServedGraphs, lastRunOf } from "./servedGraphs.js";
import { streamParts } from "./streamParts.js";
import type { TakenRun } from "./queue.js";

/** How often a run tries whether its thread has been let go of, in milliseconds. */
const HELD_RETRY_MS = 250;

/** Why a run is ended from outside: as asked for, because another process has it, or because this one closes. */
export type StopReason = CancelAction | "lost" | "closing";

/** The handle by which a process ends a run that it works on. */
export interface RunStop {
  signal: AbortSignal;
  control: RunControl;
  /** Set once it is to be ended. */
  reason: () => StopReason | undefined;
  /** At once, or for `closing` at the next checkpoint. */
  stop: (reason: StopReason) => void;
}

export function makeRunStop(): RunStop {
  const abort = new AbortController();
  const control = new RunControl();
  let reason: StopReason | undefined;
  return {
    signal: abort.signal,
    control,
    reason: () => reason,
    stop: (wanted) => {
      if (reason !== undefined && reason !== "closing") return;
      const isAgain = reason === wanted;
      reason = wanted;
      if (wanted === "closing" && !isAgain) control.requestDrain(wanted);
      else abort.abort(new Error(`the run was stopped: ${wanted}`));
    },
  };
}

/** How a run ended. `given up`: any process goes on with it · `gone`: nothing of it is this process's any more. */
export type Ending =
  | { status: "success" | "interrupted"; thread: "idle" | "interrupted" }
  | { status: "error"; error: string }
  | { status: "rollback" }
  | { status: "given up" }
  | { status: "gone" };

/**
 * Runs a graph for a run of the queue, from its input or, where a process has been at it before, from its last
 * checkpoint. Its events go to the log; it is left to the caller to tell the queue how it ended.
 */
export async function execute(work: {
  server: Pick<Server, "data" | "access" | "telemetry">;
  graphs: ServedGraphs;
  run: TakenRun;
  stop: RunStop;
  log: EventLog;
  /** Milliseconds for which another process may still hold the thread; longer if its lease is. */
  patienceMs: number;
}): Promise<Ending> {
  const { run, stop, log } = work;
  try {
    const asked = run.cancel as CancelAction | null;
    if (asked) stop.stop(asked);
    if (stop.reason() === undefined) await workPatiently(work);
    if (stop.reason() === "rollback") return { status: "rollback" };
    if (stop.reason() === "interrupt") return { status: "interrupted", thread: "idle" };
    if (stop.reason() === "lost") return { status: "gone" };
    return await settle(work);
  } catch (error) {
    const reason = stop.reason();
    if (reason === "lost") return { status: "gone" };
    if (reason === "rollback") return { status: "rollback" };
    if (reason === "interrupt") return { status: "interrupted", thread: "idle" };
    if (reason === "closing" || isGraphDrained(error) || isAway(error)) {
      return { status: "given up" };
    }
    await log.publish("error", errorOf(error));
    return { status: "error", error: errorOf(error).message };
  }
}

type Work = Parameters<typeof execute>[0];

/** A thread whose holder has died is free once the holder's lease has run out. */
async function workPatiently(work: Work): Promise<void> {
  const since = Date.now();
  while (true) {
    try {
      await runGraph(work);
      return;
    } catch (error) {
      if (!(error instanceof ThreadHeld) || work.stop.signal.aborted) throw error;
      const { leaseMs = 0 } = error.details.owner;
      // A run that was taken over waits for a process that hangs, too: somebody takes its thread in the end.
      const factor = work.run.hasBegun ? 10 : 2;
      if (Date.now() - since > factor * Math.max(work.patienceMs, leaseMs)) throw error;
    }
    await sleep(HELD_RETRY_MS);
  }
}

async function runGraph({ server, graphs, run, stop, log }: Work): Promise<void> {
  const { run_id: runId, thread_id: threadId } = run;
  const order = orderOf(run);
  const graph = await graphs.open(order.graph_id);
  const saver = graphs.saver();
  // Where it has a checkpoint of its own, its input is in the state already.
  const goesOn = run.hasBegun && (await lastRunOf({ saver, threadId })) === runId;
  const followed = server.telemetry.follow({
    runId,
    threadId,
    graph: order.graph_id,
    queuedMs: run.queuedMs,
    traceparent: order.traceparent,
  });
  try {
    await log.publish("metadata", { run_id: runId, attempt: run.attempts });
    const parts = streamParts({
      graph,
      input: goesOn ? null : inputOf(order),
      options: {
        ...optionsOf({ run, order, goesOn }),
        signal: stop.signal,
        control: stop.control,
        callbacks: followed.callbacks,
        store: new ItemStore(server.data, run.owner),
      },
      order: order.is_streamed ? order : { stream_mode: ["updates"], subgraphs: false },
    });
    for await (const { event, data } of parts) {
      if (order.is_streamed) await log.publish(event, data);
    }
    followed.end({ status: "success" });
  } catch (error) {
    followed.end({
      status: endOf({ reason: stop.reason(), error }),
      error: errorOf(error).message,
    });
    throw error;
  }
}

/** How the work ended in this process, for those who follow it. */
function endOf({ reason, error }: { reason: StopReason | undefined; error: unknown }): string {
  if (reason === "interrupt" || reason === "rollback") return "interrupted";
  return reason !== undefined || isGraphDrained(error) || isAway(error) ? "given up" : "error";
}

type GraphOptions = NonNullable<Parameters<AgentGraph["stream"]>[1]>;

function optionsOf({ run, order, goesOn }: { run: TakenRun; order: RunOrder; goesOn: boolean }) {
  const { run_id: runId, thread_id, assistant_id } = run;
  const { config, context, checkpoint, graph_id } = order;
  const options = {
    runId,
    context,
    tags: config.tags,
    metadata: { ...(JSON.parse(run.metadata) as object), run_attempt: run.attempts },
    configurable: {
      ...config.configurable,
      ...(goesOn ? {} : checkpoint),
      thread_id,
      run_id: runId,
      graph_id,
      assistant_id,
    },
    recursionLimit: config.recursion_limit,
    interruptBefore: order.interrupt_before,
    interruptAfter: order.interrupt_after,
    // Less would lose what another process has to go on from.
    durability: "sync",
  } satisfies GraphOptions;
  // A limit that is there and undefined would replace the graph's own.
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return { runId, ...(Object.fromEntries(given) as GraphOptions) };
}

function inputOf({ command, input = null }: RunOrder): Parameters<AgentGraph["stream"]>[0] {
  if (command) return commandOf(command);
  return input as Parameters<AgentGraph["stream"]>[0];
}

/** A command as LangGraph takes it. */
export function commandOf({ goto, ...command }: RunCommand): Command {
  const destinations = goto === undefined ? [] : [goto].flat();
  return new Command({
    ...command,
    goto: destinations.map((to) => (typeof to === "string" ? to : new Send(to.node, to.input))),
  });
}

/** The result of a run, and its thread's status. */
async function settle({ graphs, run, log }: Work): Promise<Ending> {
  const order = orderOf(run);
  const graph = await graphs.open(order.graph_id);
  const state = await graph.getState({ configurable: { thread_id: run.thread_id } });
  const interrupts = state.tasks.flatMap((task) => task.interrupts ?? []);
  const values: Record<string, unknown> = { ...state.values };
  if (!order.is_streamed) {
    await log.publish(
      "values",
      interrupts.length > 0 ? { ...values, __interrupt__: interrupts } : values,
    );
  }
  return { status: "success", thread: state.next.length > 0 ? "interrupted" : "idle" };
}
