import { Command } from "@langchain/langgraph";
import { type GraphId, loadGraph } from "../graphs/index.js";
import { openGraph } from "../graphs/openGraph.js";
import { openChatModel } from "../models/chat.js";
import { knowingResults } from "../workspace/wholeResult.js";
import { openWorkspace } from "../workspace/workspace.js";
import { type Context, parseContext } from "../state/context.js";
import type { GraphState } from "../state/state.js";
import type { InputAnswer } from "../tools/runtime/inputRequest.js";
import { HOLD_KEY, type ThreadHold } from "../tools/runtime/threadHolds.js";
import { type Decisions, waitingFor } from "./decisions.js";
import { requireBudget } from "../models/prices.js";
import { type RunStatus, exitCodeOf } from "./exit.js";
import { graphNotices } from "./graphNotices.js";
import { openLibrary } from "./openLibrary.js";
import { printHeader, printSummary, stagePrinter } from "./printRun.js";
import { printJson } from "./print.js";
import { runFailure } from "./runInterrupted.js";
import { runReport } from "./runReport.js";
import { readThread } from "./threads.js";

/** What a run prints. */
export interface RunOutput {
  json?: boolean;
  stream?: boolean;
}

/** A run to start or to continue on a thread. */
export interface ThreadRun {
  threadId: string;
  hold: ThreadHold;
  graph: GraphId;
  /** Settings as the user gave them. */
  settings: Record<string, unknown>;
  /** Why the run has its model, where the user has not named it; goes on after "for". */
  modelWhy?: string;
  /** A new request, what a person decided or answered, or null to go on where it stopped. */
  input: { request: string } | { decisions: Decisions } | { answers: InputAnswer[] } | null;
  output: RunOutput;
}

/**
 * Runs a graph on a thread with checkpoints after every stage, prints what it is told to, and
 * returns the exit code. Ctrl-C gives up the stage under way and ends the run; it can be resumed.
 * Whatever is wrong with the settings is found out before the thread is touched.
 */
export async function runThread(run: ThreadRun): Promise<number> {
  const context = parseContext(run.settings);
  await requireBudget(context);
  await requireModels(context);
  const library = await openLibrary({ ...context, threadId: run.threadId });
  const streaming = !run.output.json && run.output.stream !== false;
  if (streaming) printHeader({ run, context, library });
  const notices = await graphNotices({ graph: run.graph, context });
  for (const notice of notices) process.stderr.write(`note: ${notice}\n`);
  // The model by default depends on the environment, which may be another when the run is resumed.
  const pinned = { ...run, settings: { ...run.settings, model: context.model } };
  await noteThread(pinned);
  const { status, snapshot } = await streamRun({ run: pinned, streaming });
  await noteStatus(run, status);
  const state = snapshot.values as Partial<GraphState>;
  const waiting = waitingFor(snapshot);
  const { calls = [] } = state;
  const report = () => runReport({ run, state, status, waiting, notices });
  if (run.output.json) printJson(await knowingResults({ calls }, report));
  else printSummary({ run, state, status, streaming, waiting });
  return exitCodeOf(status);
}

/** @throws UnknownName, ModelFailed when a model of the run cannot be used as it is named */
async function requireModels(context: Context): Promise<void> {
  const { model, reasoningModel, temperature, seed, maxOutputTokens } = context;
  for (const spec of reasoningModel ? [model, reasoningModel] : [model]) {
    await openChatModel(spec, { temperature, seed, maxOutputTokens });
  }
}

/** Keeps what `resume` needs to continue the run in another process. */
async function noteThread({ threadId: id, graph, settings, input }: ThreadRun): Promise<void> {
  const { threads } = openWorkspace().checkpoints();
  const request =
    input && "request" in input ? input.request : ((await threads.get(id))?.request ?? "");
  await threads.put({ id, graph, settings, request, status: "running" });
}

/** Of a thread that another process has taken over, its run has to say how it stands. */
async function noteStatus({ threadId, hold }: ThreadRun, status: string): Promise<void> {
  if (!(await hold.isHeld())) return;
  await openWorkspace().checkpoints().threads.setStatus(threadId, status);
}

type Snapshot = Awaited<ReturnType<typeof readThread>>;

async function streamRun(options: {
  run: ThreadRun;
  streaming: boolean;
}): Promise<{ status: RunStatus; snapshot: Snapshot }> {
  const { run, streaming } = options;
  const thread = { id: run.threadId, graph: run.graph };
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    const isNew = run.input !== null && "request" in run.input;
    const state = isNew ? undefined : ((await readThread(thread)).values as Partial<GraphState>);
    const { stages } = (await loadGraph(run.graph)).wiring;
    const printStage = streaming ? stagePrinter({ stages, state }) : undefined;
    const updates = await (
      await openGraph(run.graph)
    ).stream(inputOf(run), {
      configurable: { thread_id: run.threadId, [HOLD_KEY]: run.hold.token },
      // The settings as given: the graph fills the defaults in, as it does for whoever invokes it.
      context: run.settings,
      streamMode: "updates",
      durability: "sync",
      signal: controller.signal,
    });
    for await (const update of updates) printStage?.(update);
    const snapshot = await readThread(thread);
    const { status } = snapshot.values as GraphState;
    return { status: waitingFor(snapshot) ? "waiting" : status, snapshot };
  } catch (error) {
    if (controller.signal.aborted)
      return { status: "cancelled", snapshot: await readThread(thread) };
    await noteStatus(run, "interrupted");
    throw runFailure({ threadId: run.threadId, error });
  } finally {
    process.off("SIGINT", cancel);
  }
}

function inputOf({ input }: ThreadRun) {
  return input && !("request" in input) ? new Command({ resume: input }) : input;
}
