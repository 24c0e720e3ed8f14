import { oneLine } from "../../errors.js";
import type { SourceProblem, ToolDefinition } from "../tool.js";
import { requireFile } from "./file.js";
import type { FileReading } from "./functions.js";
import { readJsonLines } from "./jsonLines.js";
import { parametersOf, returnsOf } from "./looseSchema.js";
import { WHOLE_FILE } from "./problems.js";

/** Whether a file declares tools line by line, rather than in a program. */
export function holdsDeclarations(file: string): boolean {
  return /\.jsonl$/i.test(file);
}

/**
 * Reads tools that are described and have no function: one JSON object a line with `name`, and where
 * there are `id` (default: the name), `description`, `parameters` and `returns`. Parameters may be
 * typed loosely, see {@link parametersOf}; all other fields are left out. They count as tools that
 * read, since a call of one does nothing.
 *
 * @param options.file path of a JSONL file
 * @returns the tools in the order of the file; a line that cannot be one, or that repeats an id, is a
 *   problem
 * @throws InvalidSetting when the file does not exist
 */
export async function readDeclarations({ file }: { file: string }): Promise<FileReading> {
  const path = requireFile(file);
  const tools: ToolDefinition[] = [];
  const problems: SourceProblem[] = [];
  const lines = new Map<string, number>();
  for await (const read of readJsonLines(path)) {
    const place = { file: path, line: read.line };
    const reading = "row" in read ? declaredTool(read.row, path) : read;
    if ("problem" in reading) {
      problems.push({ ...place, exportName: WHOLE_FILE, problem: reading.problem });
      continue;
    }
    const { id } = reading;
    const first = lines.get(id);
    if (first === undefined) {
      lines.set(id, read.line);
      tools.push(reading);
    } else {
      const problem = `the id "${oneLine(id)}" is that of line ${first} already; give each tool its own`;
      problems.push({ ...place, exportName: id, problem });
    }
  }
  return { tools, problems, files: [path] };
}

function declaredTool(
  row: Record<string, unknown>,
  file: string,
): ToolDefinition | { problem: string } {
  const { name, id = name } = row;
  if (!isText(name)) return { problem: missing("name") };
  if (!isText(id)) return { problem: missing("id") };
  const parameters = parametersOf(row.parameters);
  if (parameters === undefined) {
    const problem = `the parameters of "${oneLine(id)}" are no object schema; write { "type": "object", "properties": { … } }`;
    return { problem };
  }
  const returns = returnsOf(row.returns);
  return {
    id,
    name,
    // Origins have tools without a text; they can still be called and are found by their names.
    description: isText(row.description) ? row.description : "",
    parameters,
    ...(returns === undefined ? {} : { returns }),
    source: { kind: "declared", file },
    effects: "read",
  };
}

function missing(field: string): string {
  return `has no "${field}"; it has to be a text that is not empty`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
