import { type GraphId, graphs } from "../graphs/index.js";
import { compileGraph } from "../graphs/agentGraph.js";
import { openResources } from "../resources/resources.js";
import { parseContext } from "../state/context.js";
import type { GraphState, Status } from "../state/state.js";
import type { Checkpoints } from "../storage/checkpoints.js";
import { exitCodeOf } from "./exit.js";
import { printHeader, printSummary, stagePrinter } from "./printRun.js";
import { runReport } from "./runReport.js";
import { whileWorking } from "./whileWorking.js";

/** What a run prints. */
export interface RunOutput {
  json?: boolean;
  stream?: boolean;
}

/** A run to start or to continue on a thread. */
export interface ThreadRun {
  threadId: string;
  graph: GraphId;
  /** Settings as the user gave them; kept with the thread, so that `resume` has them. */
  settings: Record<string, unknown>;
  /** null to continue where the thread's last run was broken off. */
  input: { request: string } | null;
  output: RunOutput;
}

/**
 * Runs a graph on a thread with checkpoints after every stage, prints what it is told to, and
 * returns the exit code. Ctrl-C ends the run after the stage under way is given up; it can be
 * resumed.
 */
export async function runThread(run: ThreadRun): Promise<number> {
  const context = parseContext(run.settings);
  const resources = openResources();
  const library = await whileWorking(`indexing the library ${context.library}`, () =>
    resources.library(context),
  );
  const streaming = !run.output.json && run.output.stream !== false;
  if (streaming) printHeader({ run, context, library });
  const checkpoints = resources.checkpoints();
  const { threads } = checkpoints;
  const request = run.input?.request ?? threads.get(run.threadId)?.request ?? "";
  const { threadId: id, graph, settings } = run;
  threads.put({ id, graph, settings, request, status: "running" });
  const { status, state } = await streamRun({ run, streaming, checkpoints });
  threads.setStatus(id, status);
  if (run.output.json) {
    process.stdout.write(`${JSON.stringify(runReport({ run, state, status }))}\n`);
  } else {
    printSummary({ run, state, status, streaming });
  }
  return exitCodeOf(status);
}

async function streamRun(options: {
  run: ThreadRun;
  streaming: boolean;
  checkpoints: Checkpoints;
}): Promise<{ status: Status | "cancelled"; state: GraphState }> {
  const { run, streaming, checkpoints } = options;
  const { builder } = graphs[run.graph];
  const graph = compileGraph(builder, { name: run.graph, checkpointer: checkpoints.saver });
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  // The settings as given: the graph fills the defaults in, as it does for whoever invokes it.
  const config = { configurable: { thread_id: run.threadId }, context: run.settings };
  const before = run.input ? undefined : ((await graph.getState(config)).values as GraphState);
  const printStage = streaming ? stagePrinter(before) : undefined;
  try {
    const updates = await graph.stream(run.input, {
      ...config,
      streamMode: "updates",
      durability: "sync",
      signal: controller.signal,
    });
    for await (const update of updates) printStage?.(update);
    const state = (await graph.getState(config)).values as GraphState;
    return { status: state.status, state };
  } catch (error) {
    if (!controller.signal.aborted) {
      checkpoints.threads.setStatus(run.threadId, "interrupted");
      throw error;
    }
    const state = (await graph.getState(config)).values as GraphState;
    return { status: "cancelled", state };
  } finally {
    process.off("SIGINT", cancel);
  }
}
