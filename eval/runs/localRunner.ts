import type { AgentGraph } from "../../graphs/compile.js";
import { hasEnded, openGraph } from "../../graphs/openGraph.js";
import { openWorkspace } from "../../workspace/workspace.js";
import type { GraphState } from "../../state/state.js";
import { registerSimulated } from "../simulated/provider.js";
import { beginWorld } from "./beginWorld.js";
import { AttemptLost, type Runner, type RunRequest, type RunState } from "./runner.js";
import type { Checkpointing } from "./experiment.js";
import { type PastState, stagesOf } from "./stageVisits.js";
import { unsavedRun } from "./unsavedRun.js";
import { withWholeResults } from "./wholeResults.js";

/** Runs graphs in this process, with its data in the home of the process. */
export function localRunner({ checkpoints }: { checkpoints?: Checkpointing } = {}): Runner {
  registerSimulated();
  return { run: checkpoints === "none" ? unsavedRun : run };
}

async function run(request: RunRequest): Promise<RunState> {
  const graph = await openGraph(request.graph);
  const thread = { configurable: { thread_id: request.threadKey } };
  const before = await graph.getState(thread);
  const begun = before.createdAt !== undefined;
  const ended = begun && hasEnded(before);
  if (begun && !ended) await requireCertainty(request.threadKey);
  await beginWorld(request);
  const failure = ended ? undefined : await stream({ graph, request, begun });
  return { ...(await readRun({ graph, request })), resumed: begun, failure };
}

/**
 * A write that was under way when the process died may have happened, which the model would be told;
 * a run that is compared with others must not depend on that.
 *
 * @throws AttemptLost
 */
async function requireCertainty(threadId: string): Promise<void> {
  const calls = await openWorkspace().runtime.journal.calls(threadId);
  const cut = calls.find(({ status, effects }) => status === "started" && effects === "write");
  if (cut) throw new AttemptLost(`broken off while ${cut.tool} was running`, threadId);
}

/** Runs to the end; what breaks the run off is given back, since what it has used counts all the same. */
async function stream(options: {
  graph: AgentGraph;
  request: RunRequest;
  begun: boolean;
}): Promise<unknown> {
  const { graph, request, begun } = options;
  const { settings, signal, threadKey, onUsage } = request;
  try {
    const updates = await graph.stream(begun ? null : { request: request.request }, {
      configurable: { thread_id: threadKey },
      context: settings,
      streamMode: "values",
      durability: "sync",
      signal,
    });
    for await (const values of updates) {
      const { usage } = values as Partial<GraphState>;
      if (usage) onUsage?.(usage);
    }
    return undefined;
  } catch (error) {
    signal.throwIfAborted();
    return error;
  }
}

async function readRun({ graph, request }: { graph: AgentGraph; request: RunRequest }) {
  const thread = { configurable: { thread_id: request.threadKey } };
  const history: PastState[] = [];
  for await (const state of graph.getStateHistory(thread)) history.unshift(state);
  const { tasks } = await graph.getState(thread);
  return {
    values: await withWholeResults(history.at(-1)?.values ?? {}),
    stages: stagesOf(history),
    threadId: request.threadKey,
    waiting: tasks.some(({ interrupts }) => interrupts.length > 0),
  };
}
