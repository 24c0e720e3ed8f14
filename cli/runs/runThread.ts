import { Command } from "@langchain/langgraph";
import { knowingResults } from "../../nodes/kit/stage.js";
import type { GraphState } from "../../state/state.js";
import { exitCodeOf, type RunStatus, untilCancelled } from "../exit.js";
import { printJson, describeError, tell } from "../printing/print.js";
import { waitingFor, type Decisions, type Waiting, answersOn, questionIn } from "./decisions.js";
import { printHeader, printSummary, runReport, stagePrinter } from "./printRun.js";
import { namedGraph, openGraph } from "../../graphs/openGraph.js";
import { openWorkspace } from "../../home/workspace.js";
import { HOLD_KEY } from "../../tools/calls/journal/threadHolds.js";
import { InvalidSetting, TulipgraphError, UnknownName } from "../../common/errors.js";
import { isConnectable } from "../../tools/remote.js";
import { type PreparedRun, prepareRun, type ThreadRun } from "./prepareRun.js";
import { readThread } from "./threads.js";

/** Runs a graph on a thread, prints what `output` asks for, and returns the exit code. */
export async function runThread(run: ThreadRun): Promise<number> {
  const prepared = await prepareRun(run);
  if (prepared.streaming) printHeader(prepared);
  for (const notice of prepared.notices) tell(`note: ${notice}`);
  return await reportRun(prepared, await streamRun(prepared));
}

async function reportRun(run: PreparedRun, { status, snapshot }: StreamedRun): Promise<number> {
  const state = snapshot.values as Partial<GraphState>;
  const { calls = [] } = state;
  const report = { run, state, status, waiting: waitingFor(snapshot) };
  if (run.output.json) printJson(await knowingResults({ calls }, () => runReport(report)));
  else printSummary(report);
  return exitCodeOf(status);
}

interface StreamedRun {
  status: RunStatus;
  snapshot: Awaited<ReturnType<typeof readThread>>;
}

/**
 * Runs the graph with a checkpoint after every stage, and prints each stage if that is wanted. A person at the terminal
 * is asked to connect to sources that the run waits for. Ctrl-C abandons the current stage and ends the run, which can
 * be resumed.
 */
async function streamRun(run: PreparedRun): Promise<StreamedRun> {
  let streamed = await streamOnce(run);
  const isAsked = run.streaming && process.stdin.isTTY;
  for (;;) {
    const decisions = isAsked ? await connectHere(waitingFor(streamed.snapshot)) : undefined;
    if (!decisions) break;
    const input = { interrupt: questionIn(streamed.snapshot), decisions };
    streamed = await streamOnce({ ...run, input });
  }
  await noteStatus(run, streamed.status);
  return streamed;
}

async function streamOnce(run: PreparedRun): Promise<StreamedRun> {
  const thread = { id: run.threadId, graph: run.graph };
  return await untilCancelled(async (signal) => {
    try {
      const isNew = run.input !== null && "request" in run.input;
      const state = isNew ? undefined : ((await readThread(thread)).values as Partial<GraphState>);
      const { stages } = (await namedGraph(run.graph)).wiring;
      const printStage = run.streaming ? stagePrinter({ stages, state }) : undefined;
      const graph = await openGraph(run.graph);
      const updates = await graph.stream(inputOf(run), {
        configurable: { thread_id: run.threadId, [HOLD_KEY]: run.hold.token },
        // The settings as given: the graph itself fills in the defaults.
        context: run.settings,
        streamMode: "updates",
        durability: "sync",
        signal,
      });
      for await (const update of updates) printStage?.(update);
      const snapshot = await readThread(thread);
      const { status } = snapshot.values as GraphState;
      return { status: waitingFor(snapshot) ? "waiting" : status, snapshot };
    } catch (error) {
      if (signal.aborted) return { status: "cancelled", snapshot: await readThread(thread) };
      await noteStatus(run, "interrupted");
      throw runFailure(run.threadId, error);
    }
  });
}

function inputOf({ input }: PreparedRun) {
  return input && !("request" in input) ? new Command({ resume: input }) : input;
}

/** Has the person at the terminal connect to what a run waits for; undefined if it waits for something else. */
async function connectHere(waiting: Waiting | undefined): Promise<Decisions | undefined> {
  const { kind, connect = [] } = waiting ?? {};
  if (!waiting || kind !== "connect" || !connect.every(isConnectable)) return undefined;
  const { logIn } = await import("../sources/login.js");
  for (const { source, message } of connect) {
    tell(`${source}: ${message}`);
    await logIn(source, {});
  }
  return answersOn(waiting, { approve: true });
}

/** If another process has taken over the thread, the status is that process's to set. */
async function noteStatus({ threadId, hold }: PreparedRun, status: string): Promise<void> {
  if (!(await hold.isHeld())) return;
  await openWorkspace().checkpoints().threads.setStatus(threadId, status);
}

/** An error ended the run; its finished stages are kept, so it can be resumed. */
class RunInterrupted extends TulipgraphError {
  readonly code = "RUN_INTERRUPTED";

  constructor({ threadId, cause }: { threadId: string; cause: unknown }) {
    super(`${describeError(cause)}; continue with: tulipgraph resume ${threadId}`, { cause });
  }
}

/** The error to show for a failed run. Resuming is not suggested for a wrong setting: it would fail again. */
function runFailure(threadId: string, error: unknown): unknown {
  if (error instanceof InvalidSetting || error instanceof UnknownName) return error;
  return new RunInterrupted({ threadId, cause: error });
}
