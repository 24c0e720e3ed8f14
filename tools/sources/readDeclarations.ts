import { oneLine } from "../../common/errors.js";
import { schemaExcess } from "../../common/schemas/size.js";
import { FLOW_FORM, readFlow } from "../flow/labels.js";
import type { SourceProblem, ToolDefinition, ToolSource } from "../tool.js";
import { requireFile } from "./file.js";
import type { FileReading } from "./functions.js";
import { readJsonLines } from "./jsonLines.js";
import { parametersOf, returnsOf } from "./looseSchema.js";
import { WHOLE_FILE } from "./problems.js";

/**
 * Reads tools without a function: one JSON object per line with `name` and optionally `id` (default: the name),
 * `description`, `parameters`, `returns`, `cost` (units of the budget), `timeoutMs`, `effects` ("read" or
 * "write"), `flow` (labels for flow rules), `world` (name of the world that answers calls), and `provider`,
 * `provider_description` and `category`, by which it is found as well. Parameters may be typed loosely, see {@link parametersOf}; other fields are ignored. They count as reading by default,
 * because calling one does nothing.
 *
 * @param options.file path of a JSONL file
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
    const problem = `the parameters of "${oneLine(id)}" are no object schema; write { "type": "object", "properties": { … } }`;
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
    // Tools without a description can still be called, and are found by name.
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

type DeclaredSettings = Pick<ToolDefinition, "cost" | "timeoutMs"> & {
  effects?: ToolDefinition["effects"];
  world?: string;
  flow?: unknown;
};

/** Fields that may be missing or null; invalid values are reported instead of guessed at. */
const SETTINGS: readonly {
  field: keyof DeclaredSettings;
  wants: string;
  fits: (value: unknown) => boolean;
}[] = [
  {
    field: "effects",
    wants: '"read" or "write"',
    fits: (value) => value === "read" || value === "write",
  },
  {
    field: "cost",
    wants: "a number of budget units, 0 or more",
    fits: (value) => Number.isFinite(value) && Number(value) >= 0,
  },
  {
    field: "timeoutMs",
    wants: "a number of milliseconds above 0",
    fits: (value) => Number.isFinite(value) && Number(value) > 0,
  },
  { field: "flow", wants: FLOW_FORM, fits: (value) => readFlow(value) !== undefined },
  { field: "world", wants: "the name of a world, a text that is not empty", fits: isText },
];

function declaredSettings(row: Record<string, unknown>): DeclaredSettings | { problem: string } {
  const given = SETTINGS.filter(({ field }) => (row[field] ?? null) !== null);
  const wrong = given.find(({ field, fits }) => !fits(row[field]));
  if (wrong !== undefined) {
    const { field, wants } = wrong;
    return { problem: `has "${field}" ${JSON.stringify(row[field])}; it wants ${wants}` };
  }
  return Object.fromEntries(given.map(({ field }) => [field, row[field]]));
}

function missing(field: string): string {
  return `has no "${field}"; it has to be a text that is not empty`;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}
