import { Command } from "@langchain/langgraph";
import { knowingResults } from "../../nodes/kit/stage.js";
import type { GraphState } from "../../state/state.js";
import { exitCodeOf, type RunStatus, untilCancelled } from "../exit.js";
import { printJson, describeError, tell } from "../printing/print.js";
import { waitingFor, type Decisions, type Waiting, answersOn, questionIn } from "./decisions.js";
import { printHeader, printSummary, runReport, stagePrinter } from "./printRun.js";
import { GRAPH_IDS, type GraphNeed } from "../../graphs/index.js";
import { namedGraph, openGraph } from "../../graphs/openGraph.js";
import { graphSource } from "../../graphs/ownGraphs.js";
import { openWorkspace } from "../../home/workspace.js";
import { openChatModel } from "../../models/chat/chat.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { requireBudget } from "../../models/prices.js";
import type { BudgetUse } from "../../nodes/request/intake.js";
import { type Settings, parseSettings } from "../../state/settings.js";
import { type ThreadHold, HOLD_KEY } from "../../tools/calls/journal/threadHolds.js";
import type { LibraryView } from "../../tools/library/library.js";
import { openLibrary } from "../tools/openLibrary.js";
import { InvalidSetting, TulipgraphError, UnknownName } from "../../common/errors.js";
import { isConnectable } from "../../tools/remote.js";
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

/** What a run prints. */
export interface RunOutput {
  json?: boolean;
  stream?: boolean;
}

/** A run to start or to continue on a thread. */
export interface ThreadRun {
  threadId: string;
  hold: ThreadHold;
  graph: string;
  /** As the user gave them, without defaults. */
  settings: Record<string, unknown>;
  /** Why this model was chosen if the user named none; completes a sentence after "because". */
  modelWhy?: string;
  /** A new request, a person's decisions or answers, or null to continue where the run stopped. */
  input: { request: string } | { interrupt?: string; decisions: Decisions } | null;
  output: RunOutput;
}

/** A run whose settings, models and library are checked, and which its thread knows of. */
export interface PreparedRun extends ThreadRun {
  library: LibraryView;
  /** Whether the stages are printed as they end. */
  streaming: boolean;
  /** What the graph will not do although its name or settings promise it. */
  notices: readonly string[];
}

/**
 * Checks everything that a run needs before its thread is touched, and stores what `resume` needs to continue it in
 * another process.
 *
 * @throws InvalidSetting for settings that do not hold
 * @throws UnknownName, ModelFailed when a model of the run cannot be used
 */
async function prepareRun(run: ThreadRun): Promise<PreparedRun> {
  const { threadId, graph, output } = run;
  const settings = parseSettings(run.settings);
  await requireBudget(settings);
  if (settings.flowRules) {
    (await import("../../nodes/policy/flowRulesOf.js")).flowRulesOf(settings);
  }
  const { model, embeddings, temperature, seed, maxOutputTokens } = settings;
  await openChatModel(model, { temperature, seed, maxOutputTokens });
  const library = await openLibrary({ ...settings, threadId });
  const notices = await graphNotices(graph, settings);
  // The default models depend on the environment, which may differ when the run is resumed.
  const pinned = { ...run, settings: { ...run.settings, model, embeddings } };
  await noteThread(pinned);
  return { ...pinned, library, notices, streaming: !output.json && output.stream !== false };
}

async function noteThread({ threadId: id, graph, settings, input }: ThreadRun): Promise<void> {
  const { threads } = openWorkspace().checkpoints();
  const request =
    input && "request" in input ? input.request : ((await threads.get(id))?.request ?? "");
  await threads.put({ id, graph: graphSource(graph), settings, request, status: "running" });
}

/** What graphs that do not enforce a budget do with it. */
const UNHEEDED = {
  ignored: "takes no notice of a budget",
  told: "tells the model of its budget and does not enforce it",
};

/**
 * What a graph will not do although its name promises it or its settings ask for it, one line each. The graph runs
 * all the same, and its answer would not show it.
 */
async function graphNotices(graph: string, settings: Settings): Promise<string[]> {
  const { budget, needs = [] } = await namedGraph(graph);
  const lacks = await Promise.all(needs.map(async (need) => LACKS[need](settings)));
  const notices = lacks.flatMap((lack) => (lack === undefined ? [] : [`${graph} ${lack}`]));
  const unheeded = unheededBudget(graph, budget, settings);
  return unheeded === undefined ? notices : [unheeded, ...notices];
}

function unheededBudget(graph: string, budget: BudgetUse, settings: Settings): string | undefined {
  if (settings.budget === undefined || budget === "enforced") return undefined;
  const enforcing = `${graph}_btp`;
  const instead = GRAPH_IDS.some((id) => id === enforcing) ? `; ${enforcing} keeps it` : "";
  return `${graph} ${UNHEEDED[budget]}, as published${instead}`;
}

/** What to say if the library lacks what a graph needs; undefined if it does not. */
const LACKS: Record<GraphNeed, (settings: Settings) => Promise<string | undefined>> = {
  demonstrations: async ({ library, demos }) => {
    if (demos === 0) return "shows no demonstrations, as the setting demos is 0";
    if ((await (await openWorkspace().experience()).demonstrations.libraries()).includes(library))
      return undefined;
    return `has no demonstrations of library ${library} to show; add some with: tulipgraph memory import FILE`;
  },
  experience: async ({ library, budget }) => {
    if (budget === undefined)
      return "grants calls within a budget, and none is set; set one with --budget";
    if ((await (await openWorkspace().experience()).libraries()).includes(library))
      return undefined;
    return `has no past calls of library ${library} to divide a budget by, so only the amount limits the run; add some with: tulipgraph memory import FILE, or remember those of runs with --set remember=true`;
  },
  retriever: async ({ library, embeddings }) => {
    const { adapters = [] } = (await openWorkspace().store.describe(library)) ?? {};
    const { name } = await openEmbeddings(embeddings);
    if (adapters.some(({ model }) => model === name)) return undefined;
    return `searches library ${library} without a trained retriever; train one with: tulipgraph train retriever`;
  },
};

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
