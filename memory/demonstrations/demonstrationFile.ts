import { type ImportedLines, type ToolIds, importLines, writeLines } from "../jsonLinesFile.js";
import type { DemonstrationStore } from "./demonstration.js";
import { demonstrationOfLine, lineOfDemonstration } from "./line.js";

const DEMONSTRATION_FILE = {
  name: "demonstration file",
  hint: "Name a file with one demonstration as JSON on each line, or a place where one can be written",
};

/**
 * Adds the demonstrations of a JSONL file. Unusable lines, and lines that call a tool missing from their
 * library, are reported and left out.
 *
 * @param options.library the library for lines that name none
 * @param options.tools asked once per library; if absent, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importDemonstrations(options: {
  store: Pick<DemonstrationStore, "add">;
  file: string;
  library?: string;
  tools?: ToolIds;
}): Promise<ImportedLines> {
  const { store, file, library, tools } = options;
  const at = Date.now();
  return await importLines({
    file,
    kind: DEMONSTRATION_FILE,
    read: (row) => demonstrationOfLine({ row, library, at }),
    toolsOf: ({ calls }) => calls.map(({ tool }) => tool),
    add: store.add,
    tools,
  });
}

/**
 * Writes the demonstrations of a library, or of all, as a JSONL file that
 * {@link importDemonstrations} reads.
 *
 * @returns the number of demonstrations
 * @throws InvalidSetting when the file cannot be written
 */
export async function exportDemonstrations(options: {
  store: Pick<DemonstrationStore, "list">;
  file: string;
  library?: string;
}): Promise<number> {
  const { store, file, library } = options;
  const lines = (await store.list({ library })).map(lineOfDemonstration);
  return await writeLines({ file, kind: DEMONSTRATION_FILE, lines });
}
