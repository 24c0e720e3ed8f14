import { Command, Option } from "commander";
import { InvalidSetting } from "../../common/errors.js";
import { DEFAULT_GRAPH } from "../../graphs/index.js";
import { undoTarget } from "../../nodes/programs/undoTarget.js";
import type { Exit } from "../exit.js";
import { type RunOptions, addRunOptions, examples, settingsOf, toCount } from "../options.js";
import { changesOf } from "../runs/changes.js";
import { runThread } from "../runs/runThread.js";
import { findThread, holdingThread } from "../runs/threads.js";

interface UndoOptions extends RunOptions {
  step?: number;
  run?: string;
}

/** `tulipgraph undo THREAD` */
export function undoCommand(exit: Exit): Command {
  const command = new Command("undo")
    .description(
      "Take back what the last run of a thread has changed, last change first. Says first what cannot be undone, asks about what has changed since, and waits for your approval",
    )
    .argument("<thread>", "the thread's id")
    .addOption(
      new Option("--step <n>", "take back this change alone (see tulipgraph threads THREAD)")
        .argParser(toCount)
        .conflicts("run"),
    )
    .option("--run <run>", "take back another run, even one that took something back");
  return addRunOptions(command)
    .addHelpText(
      "after",
      examples(["tulipgraph undo homework", "tulipgraph undo homework --step 2"]),
    )
    .action(async (threadId: string, options: UndoOptions) => {
      const { id } = await findThread(threadId);
      exit(await holdingThread(id, async (hold) => await undo(id, hold, options)));
    });
}

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
  const target = undoTarget(await changesOf({ id: threadId, settings }), wanted);
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
