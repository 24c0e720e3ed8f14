import { readFile, stat } from "node:fs/promises";
import { COMMENTS_BEFORE, jsonInText, jsonOrNothing, parseJson } from "../../common/jsonInText.js";
import { decoded } from "../../common/text.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { readJsonLines } from "./jsonLines.js";

/** A tool of a file as data, or why it is none. */
type DeclaredRow = {
  line: number;
  /** Where it is, in words: "line 3", "tool 3". */
  place: string;
} & ({ row: Record<string, unknown> } | { problem: string });

/** Bytes of a file that is one JSON text; a longer one has to be written line by line. */
const LONGEST_WHOLE = 100_000_000;

/**
 * The tools of a JSON or JSONL file, in the forms of those who write such files: plain objects; those of the APIs of
 * Anthropic (`input_schema`), OpenAI (`{ "type": "function", "function": … }`), Google (`functionDeclarations`) and
 * Amazon (`toolSpec`); those of MCP (`inputSchema`); lists of them, also under `tools` or `functions`.
 */
export async function* declaredRows(file: string): AsyncGenerator<DeclaredRow> {
  const whole = await wholeJson(file);
  if (whole !== undefined) {
    yield* entriesOf(whole).map((entry, index) => ({
      line: 1,
      place: `tool ${index + 1}`,
      ...(entry === whole && isManifest(whole) ? MANIFEST : rowOf(entry, `tool ${index + 1} `)),
    }));
    return;
  }
  for await (const { line, ...read } of readJsonLines(file)) {
    const place = `line ${line}`;
    if ("problem" in read) yield { line, place, ...read };
    else yield* entriesOf(read.row).map((entry) => ({ line, place, ...rowOf(entry) }));
  }
}

/** The value of a file that is one JSON text; undefined if it has a text a line. */
async function wholeJson(file: string): Promise<unknown> {
  for await (const first of readJsonLines(file)) {
    if ("row" in first && !file.endsWith(".json")) return undefined;
    break;
  }
  if ((await stat(file)).size > LONGEST_WHOLE) return undefined;
  const text = decoded(await readFile(file)).replace(COMMENTS_BEFORE, "");
  const whole = parseJson(text.trim().replace(FENCES, "$1").replace(/;$/, ""));
  if (whole !== undefined) return whole;
  // Objects one after the other, as jq writes them.
  const { values, found, cutShort } = jsonInText(text);
  const between = text.slice(found[0]?.start ?? 0, found.at(-1)?.end);
  const others = found.reduceRight(
    (rest, { start, end }) => rest.slice(0, start) + rest.slice(end),
    `${" ".repeat(found[0]?.start ?? 0)}${between}`,
  );
  return cutShort || found.length < 2 || /[^\s,\p{Cc}]/u.test(others) ? undefined : values;
}

const FENCES = /^```\w*\n([^]*)\n```$/;

/** Whether a file is one object with a name that takes nothing, such as a package.json. */
function isManifest(whole: unknown): boolean {
  if (!isObject(whole) || !("name" in whole)) return false;
  return (first(whole, PARAMETERS) ?? twoLists(whole)) === undefined;
}

const MANIFEST = { problem: "has a name and no parameters, so it is not a tool" };

/** Fields that hold several tools. */
const LISTS = ["tools", "functions", "function", "functionDeclarations", "function_declarations"];

/** Fields that hold one tool, or what holds several. */
const WRAPPERS =
  "function toolSpec toolConfig functionSchema result session config kwargs metadata data response".split(
    " ",
  );

/** The tools in a value that is one, or holds several in any of these forms. */
export function entriesOf(value: unknown): unknown[] {
  if (Array.isArray(value)) return value.flatMap(entriesOf);
  if (!isObject(value)) return [value];
  const held = LISTS.map((field) => dataOf(value[field]));
  const lists = held.filter((one) => Array.isArray(one) || (isObject(one) && areTools(one)));
  if (lists.length > 0) return lists.flatMap(entriesOf);
  if (first(value, NAMES) !== undefined) return [value];
  const inner = WRAPPERS.map((field) => dataOf(value[field])).find(isObject);
  if (inner) return entriesOf(inner);
  if (!areTools(value)) return [value];
  return Object.entries(value).map(([name, entry]) => ({ name, ...(entry as object) }));
}

/** Whether it is a map from names to tools, of which some may take nothing. */
function areTools(map: Record<string, unknown>): boolean {
  const entries = Object.values(map);
  return entries.some(isTool) && entries.every((one) => isTool(one) || hasText(one));
}

function hasText(entry: unknown): boolean {
  return isObject(entry) && typeof entry["description"] === "string";
}

/** Data sets have the tools of a row as a text. */
function dataOf(value: unknown): unknown {
  return typeof value === "string" && /^\s*[[{]/.test(value) ? jsonOrNothing(value) : value;
}

function isTool(value: unknown): value is Record<string, unknown> {
  return isObject(value) && first(value, PARAMETERS) !== undefined;
}

/** Fields for the schema of arguments and that of results. */
const PARAMETERS =
  "parameters input_schema inputSchema parametersJsonSchema parameters_json_schema parameter_definitions parameterDefinitions input_parameters inputParameters args_schema fn_schema schema inputs arguments args params".split(
    " ",
  );
const NAMES = ["name", "function_name", "api_name", "tool_name"];
const DESCRIPTIONS =
  "description function_description api_description tool_description summary".split(" ");
const RETURNS = ["returns", "outputSchema", "output_schema", "response"];

/** A tool with its name, description, parameters and result under these names. */
export function rowOf(
  entry: unknown,
  place = "",
): { row: Record<string, unknown> } | { problem: string } {
  if (!isObject(entry)) return { problem: `${place}is not a JSON object` };
  if ("openapi" in entry || "swagger" in entry)
    return { problem: "is an OpenAPI document; import it with: tulipgraph tools import openapi" };
  if ("mcpServers" in entry)
    return { problem: "lists MCP servers; import them with: tulipgraph tools import mcp --config" };
  const { type } = entry;
  const own = type === "object" && isObject(entry["properties"]) ? entry : undefined;
  const parameters = plainSchemaOf(first(entry, PARAMETERS) ?? twoLists(entry) ?? own);
  if (parameters === undefined && typeof type === "string" && PROVIDERS_OWN.test(type))
    return { problem: `${place}is run by the provider itself (type "${type}")` };
  const returns = plainSchemaOf(first(entry, RETURNS));
  return {
    row: {
      ...entry,
      name: first(entry, NAMES),
      description: first(entry, DESCRIPTIONS),
      // In MCP alone, an empty schema allows any arguments.
      parameters: isEmpty(parameters) && !("inputSchema" in entry) ? undefined : parameters,
      returns,
    },
  };
}

function first(entry: Record<string, unknown>, fields: readonly string[]): unknown {
  return fields.map((field) => entry[field]).find((value) => value !== undefined && value !== null);
}

/** Types of the tools that providers run themselves, such as "web_search_20250305". */
const PROVIDERS_OWN =
  /^\w+_\d{8}$|^(?:web_search|file_search|code_interpreter|code_execution|image_generation|google_search)(?:_preview)?$/;

/** ToolBench has a list of required parameters and one of the others. */
function twoLists({ required_parameters: required, optional_parameters: others }: JsonSchema) {
  if (!Array.isArray(required) && !Array.isArray(others)) return undefined;
  const demanded = [required ?? []].flat().filter(isObject);
  // Their defaults are empty texts.
  const named = demanded.map((one) => ({ ...one, default: undefined, required: true }));
  return [...named, ...[others ?? []].flat()];
}

/** Amazon has the schema under `json`, the AI SDK under `jsonSchema`; some have it as a text. */
function plainSchemaOf(written: unknown): unknown {
  if (typeof written === "string" && /^\s*\{/.test(written)) return jsonOrNothing(written, written);
  if (!isObject(written)) return written;
  const known = Object.entries(written).filter(([key]) => !key.startsWith("~"));
  const [[key, held] = ["", undefined], ...others] = known;
  const inner = dataOf(held);
  return others.length === 0 && /^json(?:_?schema)?$/i.test(key) && isObject(inner)
    ? inner
    : written;
}

function isEmpty(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
