import { InvalidSetting } from "../../common/errors.js";
import { demonstrationsOfRun } from "../../memory/demonstrations/ofRun.js";
import { openWorkspace } from "../../home/workspace.js";
import { parseSettings } from "../../state/settings.js";
import { FRESH_RUN, type GraphState } from "../../state/state.js";
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
  const { values } = await readThread(thread);
  const demonstrations = demonstrationsOfRun({
    state: { ...FRESH_RUN, ...values } as GraphState,
    library: parseSettings(thread.settings).library,
    at: Date.parse(thread.updatedAt),
  });
  if (demonstrations.length === 0) {
    const problem = "its last run made no tool call or gave no answer, so there is nothing to show";
    throw new InvalidSetting({ setting: `thread ${id}`, problem });
  }
  const { added, known } = await (
    await openWorkspace().experience()
  ).demonstrations.add(demonstrations);
  if (json) printJson({ thread: id, added, known });
  else process.stdout.write(`${added} added, ${known} known\n`);
}
