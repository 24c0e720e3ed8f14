import type { RunContext } from "../workspace/libraries.js";
import { openWorkspace } from "../workspace/workspace.js";
import type { ToolLibrary } from "../tools/library/library.js";
import { printProblems } from "./importFile.js";
import { whileWorking } from "./whileWorking.js";

/**
 * Opens a library, brought up to date with its sources; tells on stderr when that takes its time, and
 * what of a changed source cannot be used.
 *
 * @param options.embed false where nothing is going to be searched for
 */
export async function openLibrary(
  context: RunContext,
  options?: { embed?: boolean },
): Promise<ToolLibrary> {
  return await whileWorking(`indexing the library ${context.library}`, () =>
    openWorkspace().library(context, printProblems, options),
  );
}
