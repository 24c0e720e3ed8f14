import type { GraphState } from "../../state/state.js";
import { type TakenRun, type ThreadEnd, changeMetadata } from "./queueRows.js";
import { orderOf } from "./runRow.js";
import { type ServedGraphs, copyCheckpoints, restOf } from "./servedGraphs.js";
import type { ServerStore } from "../schema.js";
import type { Workspace } from "../../home/workspace.js";

/**
 * Removes the checkpoints that a run has saved, and the decisions that it was begun with. Writes that it made stand: the
 * journal knows them, the thread's metadata names them (`rolled_back_calls`), and its next run is told.
 *
 * @returns the status of the thread as it is then
 */
export async function rollBack(
  { data, workspace }: { data: ServerStore; workspace: Workspace },
  graphs: ServedGraphs,
  run: TakenRun,
): Promise<ThreadEnd> {
  const { thread_id: threadId, run_id: runId, created_at: since } = run;
  const { journal } = workspace.runtime;
  await copyCheckpoints({
    saver: graphs.saver(),
    from: threadId,
    to: threadId,
    isLeftOut: (metadata) => metadata["run_id"] === runId,
  });
  await journal.endApprovals(threadId);
  const graph = await graphs.open(orderOf(run).graph_id);
  const state = await graph.getState({ configurable: { thread_id: threadId } });
  const { calls = [], messages = [] } = state.values as Partial<GraphState>;
  const told = [
    ...calls,
    ...messages.flatMap((one) => ("tool_calls" in one ? one.tool_calls : [])),
  ];
  const standing = await journal.rollBack({
    threadId,
    since,
    told: new Set((told as { id?: string }[]).map(({ id = "" }) => id)),
  });
  if (standing.length > 0) {
    const rolled_back_calls = standing.map(({ tool, args, status }) => ({ tool, args, status }));
    await changeMetadata(data, threadId, { rolled_back_calls });
  }
  return { status: restOf(state) };
}
