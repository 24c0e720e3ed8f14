import { z } from "zod";
import { UNDECLARED_COST } from "../state/budget/tariff.js";
import { canonicalJson, sha256 } from "../tools/library/records/hash.js";
import type { ExperienceStore, PastCall } from "./experience.js";
import {
  type ImportedLines,
  type ToolIds,
  importLines,
  lineArgs,
  lineName,
  lineProblem,
  writeLines,
} from "./jsonLinesFile.js";

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
    read: (row) => pastCallOfLine({ row, library, at }),
    toolsOf: ({ tool }) => [tool],
    add: store.add,
    tools,
  });
}

/**
 * Writes the past calls of a library, or of all, as a JSONL file that {@link importExperience} reads.
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
  for await (const pastCall of pastCalls) yield JSON.stringify(pastCall);
}

const amount = z.number().nonnegative();

/** A line of an experience file; unknown fields are dropped. */
const lineSchema = z.object({
  id: lineName.optional(),
  library: lineName.optional(),
  query: lineName,
  tool: lineName,
  args: lineArgs,
  result: z.string(),
  failed: z.boolean().optional(),
  helpful: z.boolean().nullable(),
  judgedBy: z.enum(["rule", "model", "classifier", "given"]).optional(),
  cost: amount.optional(),
  ms: amount.optional(),
  at: amount.optional(),
});

/** Defaults for fields that a line leaves out. */
const ABSENT = { failed: false, judgedBy: "given", cost: UNDECLARED_COST, ms: 0 } as const;

/**
 * Reads the past call in a line of an experience file.
 *
 * @param options.row the line, read as JSON
 * @param options.library the library for lines that name none
 * @param options.at the time for lines that name none, in milliseconds since 1970
 */
function pastCallOfLine(options: {
  row: Record<string, unknown>;
  library?: string;
  at: number;
}): { item: PastCall } | { problem: string } {
  const { row, at } = options;
  const parsed = lineSchema.safeParse(row);
  if (!parsed.success) return { problem: lineProblem(parsed.error, row) };
  const library = parsed.data.library ?? options.library;
  if (library === undefined) return { problem: 'has no "library", and none is given for the file' };
  const content = { ...parsed.data, library };
  // Without the time of the import, so that importing a file again adds nothing.
  const id = content.id ?? sha256(canonicalJson(content));
  return { item: { ...ABSENT, at, ...content, id } };
}
