import { UnknownName } from "../../common/errors.js";
import { openGraph } from "../../graphs/openGraph.js";
import { holding, openWorkspace } from "../../home/workspace.js";
import type { Thread } from "../../storage/checkpoints/checkpoints.js";
import type { ThreadHold } from "../../tools/calls/journal/threadHolds.js";

/** @throws UnknownName for a thread that does not exist */
export async function findThread(id: string, kind = "thread"): Promise<Thread> {
  const { threads } = openWorkspace().checkpoints();
  const thread = await threads.get(id);
  if (thread) return thread;
  throw new UnknownName({
    kind,
    wanted: id,
    available: (await threads.list()).map((known) => known.id),
  });
}

/** The last checkpoint of a thread. */
export async function readThread({ id, graph: name }: Pick<Thread, "id" | "graph">) {
  const graph = await openGraph(name);
  return await graph.getState({ configurable: { thread_id: id } });
}

/** Works on a thread of the home while no other process can. */
export async function holdingThread<Result>(
  id: string,
  work: (hold: ThreadHold) => Promise<Result>,
): Promise<Result> {
  return await holding(openWorkspace().runtime, id, work);
}
