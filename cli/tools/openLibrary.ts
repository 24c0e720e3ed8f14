import type { RunContext } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { printProblems } from "../sources/importFile.js";
import { whileWorking } from "../printing/whileWorking.js";

/**
 * Opens a library and brings it up to date with its sources. Reports on stderr if that takes long, and what in a
 * changed source cannot be used.
 *
 * @param options.embed false if nothing will be searched
 */
export async function openLibrary(
  context: RunContext,
  options?: { embed?: boolean },
): Promise<ToolLibrary> {
  return await whileWorking(`indexing the library ${context.library}`, () =>
    openWorkspace().library(context, printProblems, options),
  );
}
