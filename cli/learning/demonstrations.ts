import { InvalidSetting } from "../../common/errors.js";
import type { Demonstration } from "../../memory/demonstrations/demonstrationStore.js";
import { demonstrationsOfRun } from "../../memory/demonstrations/ofRun.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { FRESH_RUN, type GraphState } from "../../state/state.js";
import type { Thread } from "../../storage/checkpoints.js";
import { printJson } from "../printing/print.js";
import { findThread, readThread } from "../runs/threads.js";

/**
 * `memory import THREAD`
 *
 * @throws InvalidSetting if the thread's last run did not solve its request, made no call, or gave no answer
 */
export async function addDemos(id: string, { json }: { json?: boolean }): Promise<void> {
  const thread = await findThread(id, "file or thread");
  if (thread.status !== "solved") {
    throw new InvalidSetting({
      setting: `thread ${id}`,
      problem: `its last run has not solved its request (${thread.status})`,
      hint: "only what went well is worth showing",
    });
  }
  const demonstrations = await demonstrationsOfThread(thread);
  if (demonstrations.length === 0) {
    const problem = "its last run made no tool call or gave no answer, so there is nothing to show";
    throw new InvalidSetting({ setting: `thread ${id}`, problem });
  }
  const { added, known } = await openWorkspace().experience().demonstrations.add(demonstrations);
  if (json) printJson({ thread: id, added, known });
  else process.stdout.write(`${added} added, ${known} known\n`);
}

/** The demonstrations that the last run of a thread yields; it must have solved its request. */
export async function demonstrationsOfThread(thread: Thread): Promise<Demonstration[]> {
  const snapshot = await readThread(thread);
  const state = { ...FRESH_RUN, ...snapshot.values } as GraphState;
  const { library } = parseSettings(thread.settings);
  return demonstrationsOfRun({ state, library, at: Date.parse(thread.updatedAt) });
}
