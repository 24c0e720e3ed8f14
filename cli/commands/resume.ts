import { Command } from "commander";
import { InvalidSetting, UnknownName } from "../../errors.js";
import { compileGraph } from "../../graphs/agentGraph.js";
import { type GraphId, graphs } from "../../graphs/index.js";
import { openResources } from "../../resources/resources.js";
import type { Thread } from "../../storage/checkpoints.js";
import { findGraph } from "../findGraph.js";
import { type RunOptions, addRunOptions, settingsOf } from "../runOptions.js";
import { runThread } from "../runThread.js";

/** `tulipgraph resume THREAD` */
export function resumeCommand(exit: (code: number) => void): Command {
  const command = new Command("resume")
    .description(
      "Continue a run that was broken off, with its settings; finished calls are not repeated",
    )
    .argument("<thread>", "the thread's id");
  return addRunOptions(command).action(async (threadId: string, options: RunOptions) => {
    const thread = findThread(threadId);
    const graph = findGraph(thread.graph);
    await requireUnfinished({ thread, graph });
    const settings = { ...thread.settings, ...settingsOf(options) };
    exit(await runThread({ threadId, graph, settings, input: null, output: options }));
  });
}

/**
 * What is known of a thread.
 *
 * @throws UnknownName
 */
export function findThread(id: string): Thread {
  const { threads } = openResources().checkpoints();
  const thread = threads.get(id);
  if (thread) return thread;
  throw new UnknownName({
    kind: "thread",
    wanted: id,
    available: threads.list().map((known) => known.id),
  });
}

async function requireUnfinished({ thread, graph }: { thread: Thread; graph: GraphId }) {
  const checkpointer = openResources().checkpoints().saver;
  const compiled = compileGraph(graphs[graph].builder, { name: graph, checkpointer });
  const { next } = await compiled.getState({ configurable: { thread_id: thread.id } });
  if (next.length > 0) return;
  throw new InvalidSetting({
    setting: `thread ${thread.id}`,
    problem: `has nothing to resume: its last run ended with status ${thread.status}`,
    hint: `go on with: tulipgraph solve "…" --thread ${thread.id}`,
  });
}
