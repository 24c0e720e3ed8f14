import { openNamed } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { type Write, writesOf } from "../../nodes/programs/undoTarget.js";
import { parseSettings } from "../../state/settings.js";
import type { Thread } from "../../storage/checkpoints/checkpoints.js";

/** The writes of a thread, in the order in which they began. */
export async function changesOf({
  id,
  settings,
}: Pick<Thread, "id" | "settings">): Promise<Write[]> {
  const { store, runtime } = openWorkspace();
  const entries = await runtime.journal.calls(id);
  if (!entries.some(({ effects }) => effects === "write")) return [];
  const { library, embeddings } = settings;
  const opened = await openNamed({
    store,
    settings: parseSettings({ library, embeddings }),
  });
  return writesOf(entries, opened);
}
