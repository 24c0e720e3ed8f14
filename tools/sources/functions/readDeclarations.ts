import { oneLine } from "../../../common/errors.js";
import { schemaExcess } from "../../../common/schemas/size.js";
import { readFlow } from "../../library/records/labels.js";
import type { SourceProblem, ToolDefinition, ToolSource } from "../../tool.js";
import { requireFile } from "../file.js";
import type { FileReading } from "./functions.js";
import { readJsonLines } from "../jsonLines.js";
import { parametersOf, returnsOf } from "../looseSchema.js";
import { WHOLE_FILE } from "../problems.js";
import { FIELDS, statedSettings } from "./tags.js";

/**
 * Reads tools without a function: one JSON object per line with `name` and optionally `id` (default: the name),
 * `description`, `parameters`, `returns`, `cost` (units of the budget), `timeoutMs`, `effects` ("read" or "write";
 * default: "read", because calling it does nothing), `flow` (labels for flow rules), `world` (name of the world that
 * answers calls), and `provider`, `provider_description` and `category`, which searches also match. Parameters may be
 * typed loosely, see {@link parametersOf}; other fields are ignored.
 *
 * @returns the tools in the order of the file; unusable lines and repeated ids are problems
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
  const excess = schemaExcess(row.parameters) ?? schemaExcess(row.returns);
  if (excess !== undefined) return { problem: `"${oneLine(id)}" cannot be used: ${excess}` };
  const parameters = parametersOf(row.parameters);
  if (parameters === undefined) {
    const problem = `the parameters of "${oneLine(id)}" are not an object schema; write { "type": "object", "properties": { … } }`;
    return { problem };
  }
  const settings = declaredSettings(row);
  if ("problem" in settings) return settings;
  const { effects = "read", world, flow, ...limits } = settings;
  const returns = returnsOf(row.returns);
  const source: ToolSource = { kind: "declared", file, ...(world === undefined ? {} : { world }) };
  return {
    id,
    name,
    // A tool without a description can still be called, and found by its name.
    description: isText(row.description) ? row.description : "",
    ...(isText(row.provider) ? { provider: row.provider } : {}),
    ...(isText(row.provider_description) ? { providerDescription: row.provider_description } : {}),
    ...(isText(row.category) ? { category: row.category } : {}),
    parameters,
    ...(returns === undefined ? {} : { returns }),
    source,
    effects,
    ...limits,
    ...readFlow(flow),
  };
}

type DeclaredSettings = Pick<ToolDefinition, "cost" | "timeoutMs" | "check"> & {
  effects?: ToolDefinition["effects"];
  world?: string;
  flow?: unknown;
};

/** Fields may be missing or null; invalid values are reported, not guessed at. */
function declaredSettings(row: Record<string, unknown>): DeclaredSettings | { problem: string } {
  const given = Object.entries(row).filter(([, value]) => value !== null);
  const { values, problems } = statedSettings(
    SETTINGS,
    Object.fromEntries(given),
    (field) => `"${field}"`,
  );
  const [problem] = problems;
  return problem === undefined ? (values as DeclaredSettings) : { problem };
}

const SETTINGS = {
  effects: FIELDS.effects,
  cost: FIELDS.cost,
  timeoutMs: FIELDS.timeoutMs,
  check: FIELDS.check,
  flow: FIELDS.flow,
  world: { form: "the name of a world, a text that is not empty", fits: isText },
};

function missing(field: string): string {
  return `has no "${field}"; it must be a text that is not empty`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
