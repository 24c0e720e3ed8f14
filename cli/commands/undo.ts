import type { CommandForm } from "../command.js";
import { InvalidSetting } from "../../common/errors.js";
import { DEFAULT_GRAPH } from "../../graphs/index.js";
import { threadWrites, undoTarget } from "../../nodes/programs/undoTarget.js";
import { RUN_OPTIONS, type RunOptions, settingsOf, toCount } from "../options.js";
import { openWorkspace } from "../../home/workspace.js";
import { runThread } from "../runs/runThread.js";
import { findThread, holdingThread } from "../runs/threads.js";

interface UndoOptions extends RunOptions {
  step?: number;
  run?: string;
}

/** `tulipgraph undo THREAD` */
export const UNDO: CommandForm = {
  about:
    "Take back what the last run of a thread has changed, last change first. Says first what cannot be undone, asks about what has changed since, and waits for your approval",
  args: { "<thread>": "the thread's id" },
  options: {
    "--step <n>": {
      text: "take back this change alone (see tulipgraph threads THREAD)",
      read: toCount,
      conflicts: ["run"],
    },
    "--run <run>": "take back another run, even one that took something back",
    ...RUN_OPTIONS,
  },
  examples: ["tulipgraph undo homework", "tulipgraph undo homework --step 2"],
  run: async (threadId: string, options: UndoOptions) => {
    const { id } = await findThread(threadId);
    return await holdingThread(id, (hold) => undo(id, hold, options));
  },
};

/** @throws InvalidSetting if there is nothing to take back, before the thread is touched */
async function undo(
  threadId: string,
  hold: Parameters<typeof runThread>[0]["hold"],
  options: UndoOptions,
): Promise<number> {
  const thread = await findThread(threadId);
  const { step, run } = options;
  const given = await settingsOf(options);
  const settings = { ...thread.settings, ...given };
  const wanted = { ...(step !== undefined && { step }), ...(run !== undefined && { run }) };
  const target = undoTarget(
    await threadWrites(openWorkspace(), { id: threadId, settings }),
    wanted,
  );
  if ("problem" in target) {
    const { problem, hint } = target;
    throw new InvalidSetting({ setting: `thread ${threadId}`, problem, hint });
  }
  const input = { request: requestOf(wanted), undo: wanted };
  return await runThread({
    threadId,
    hold,
    graph: DEFAULT_GRAPH,
    settings,
    input,
    output: options,
  });
}

function requestOf({ step, run }: { step?: number; run?: string }): string {
  if (step !== undefined) return `Undo change ${step}.`;
  return run === undefined ? "Undo the last run." : `Undo run ${run}.`;
}
