import type { ExperienceStore, PastCall } from "./experience.js";
import { type ImportedLines, type ToolIds, importLines, writeLines } from "./jsonLinesFile.js";
import { lineOfPastCall, pastCallOfLine } from "./pastCallLine.js";

export type { ImportedLines as ImportedExperience } from "./jsonLinesFile.js";

const EXPERIENCE_FILE = {
  name: "experience file",
  hint: "Name a file with one call of a tool as JSON on each line, or a place where one can be written",
};

/**
 * Adds the past calls of a JSONL file. Unusable lines, and lines whose tool is missing from their library, are
 * reported and left out. The file is never in memory as a whole.
 *
 * @param options.library the library for lines that name none
 * @param options.tools asked once per library; if absent, tools are not checked
 * @throws InvalidSetting when there is no such file
 */
export async function importExperience(options: {
  store: Pick<ExperienceStore, "add">;
  file: string;
  library?: string;
  tools?: ToolIds;
}): Promise<ImportedLines> {
  const { store, file, library, tools } = options;
  const at = Date.now();
  return await importLines({
    file,
    kind: EXPERIENCE_FILE,
    read: (row) => {
      const read = pastCallOfLine({ row, library, at });
      return "problem" in read ? read : { item: read.pastCall };
    },
    toolsOf: ({ tool }) => [tool],
    add: store.add,
    tools,
  });
}

/**
 * Writes the past calls of a library, or of all, as a JSONL file that {@link importExperience} reads. The file
 * is written under another name and renamed, so nobody sees half of it.
 *
 * @returns how many there were
 * @throws InvalidSetting when the file cannot be written
 */
export async function exportExperience(options: {
  store: Pick<ExperienceStore, "pastCalls">;
  file: string;
  library?: string;
}): Promise<number> {
  const { store, file, library } = options;
  const lines = linesOf(store.pastCalls({ library }));
  return await writeLines({ file, kind: EXPERIENCE_FILE, lines });
}

async function* linesOf(pastCalls: AsyncIterable<PastCall>): AsyncGenerator<string> {
  for await (const pastCall of pastCalls) yield lineOfPastCall(pastCall);
}
