import { oneLine } from "../../../common/errors.js";
import { cleanSchemas } from "../../../common/schemas/cleanParameters.js";
import { givenFields } from "../../../common/givenFields.js";
import { readFlow } from "../../library/records/labels.js";
import type { SourceProblem, ToolDefinition, ToolSource } from "../../tool.js";
import { requireFile } from "../file.js";
import type { FileReading } from "./functions.js";
import { declaredRows } from "../declaredRows.js";
import { WHOLE_FILE } from "../problems.js";
import { FIELDS, statedSettings } from "./tags.js";

/**
 * Reads tools without a function: one JSON object per line, or one JSON text with all of them, in any of the forms of
 * `declaredRows`. A tool has a `name` and optionally `id` (default: the name), `description`, `parameters`, `returns`,
 * `cost` (units of the budget), `timeoutMs`, `effects` ("read" or "write"; default: "read", because calling it does
 * nothing), `undo` and `before` (how a call is taken back), `flow` (labels for flow rules), `world` (name of the world that answers calls), and `provider`,
 * `provider_description` and `category`, which searches also match. Parameters may be typed loosely, see
 * {@link cleanSchemas}; other fields are ignored.
 *
 * @returns the tools in the order of the file; unusable entries and repeated ids are problems, and what schemas lose when
 *   they are cleaned are notes
 * @throws InvalidSetting when the file does not exist
 */
export async function readDeclarations({ file }: { file: string }): Promise<FileReading> {
  const path = requireFile(file);
  const tools: ToolDefinition[] = [];
  const problems: SourceProblem[] = [];
  const notes: SourceProblem[] = [];
  const places = new Map<string, string>();
  for await (const { line, place, ...read } of declaredRows(path)) {
    const at = { file: path, line, exportName: WHOLE_FILE };
    const reading = "row" in read ? declaredTool(read.row, path) : read;
    if ("problem" in reading) {
      problems.push({ ...at, problem: reading.problem });
      continue;
    }
    const { tool, losses } = reading;
    const { id } = tool;
    const first = places.get(id);
    if (first === undefined) {
      places.set(id, place);
      tools.push(tool);
      if (losses) notes.push({ ...at, exportName: id, problem: losses });
    } else {
      const problem = `the id "${oneLine(id)}" is that of ${first} already; give each tool its own`;
      problems.push({ ...at, exportName: id, problem });
    }
  }
  return { tools, problems, files: [path], ...(notes.length > 0 && { notes }) };
}

/** A tool of a row, and what its schemas lose when they are cleaned; or why it cannot be a tool. */
export function declaredTool(
  row: Record<string, unknown>,
  file: string,
): { tool: ToolDefinition; losses?: string } | { problem: string } {
  const { name, id = name } = row;
  if (!isText(name)) return { problem: missing("name") };
  if (!isText(id)) return { problem: missing("id") };
  const title = `"${oneLine(id)}"`;
  const { schemas, losses, excess } = cleanSchemas(title, row);
  if (!schemas) {
    const problem =
      excess === undefined
        ? `the parameters of ${title} are not an object schema; write { "type": "object", "properties": { … } }`
        : `${title} cannot be used: ${excess}`;
    return { problem };
  }
  const settings = declaredSettings(row);
  if ("problem" in settings) return settings;
  const { effects = "read", world, flow, ...limits } = settings;
  const source: ToolSource = { kind: "declared", file, ...(world === undefined ? {} : { world }) };
  const tool: ToolDefinition = {
    id,
    name,
    // A tool without a description can still be called, and found by its name.
    description: isText(row.description) ? row.description : "",
    ...(isText(row.provider) ? { provider: row.provider } : {}),
    ...(isText(row.provider_description) ? { providerDescription: row.provider_description } : {}),
    ...(isText(row.category) ? { category: row.category } : {}),
    ...schemas,
    source,
    effects,
    ...limits,
    ...readFlow(flow),
  };
  return { tool, ...(losses && { losses }) };
}

type DeclaredSettings = Pick<
  ToolDefinition,
  "cost" | "timeoutMs" | "check" | "undo" | "before" | "deed"
> & {
  effects?: ToolDefinition["effects"];
  world?: string;
  flow?: unknown;
};

/** Fields may be missing or null; invalid values are reported, not guessed at. */
function declaredSettings(row: Record<string, unknown>): DeclaredSettings | { problem: string } {
  const { values, problems } = statedSettings(SETTINGS, givenFields(row), (field) => `"${field}"`);
  const [problem] = problems;
  return problem === undefined ? (values as DeclaredSettings) : { problem };
}

/** A call of such a tool changes nothing that somebody would have to approve. */
const { approval: _approval, ...OWN_FIELDS } = FIELDS;

const SETTINGS = {
  ...OWN_FIELDS,
  world: { form: "the name of a world, a text that is not empty", fits: isText },
};

function missing(field: string): string {
  return `has no "${field}"; it must be a text that is not empty`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
