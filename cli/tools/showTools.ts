import { oneLine, inBrief } from "../../common/errors.js";
import { libraryNames } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import { several } from "../../common/text.js";
import { isUnvouched } from "../../tools/library/records/effects.js";
import { flowText } from "../../tools/library/records/labels.js";
import { checkText } from "../../tools/sources/made/checkText.js";
import type { AdapterSummary } from "../../tools/library/adapter/storedAdapters.js";
import { absentTool } from "../../tools/library/search/absentTool.js";
import type { EditNote } from "../../tools/library/records/edits.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { type ToolRecord, calledTools, nameInSource, writtenCode } from "../../tools/tool.js";
import { type LibraryOptions, libraryContext, madeBy, openLibrary } from "./openLibrary.js";
import { printJson, printTable, printLine, tell } from "../printing/print.js";

/** `tools list [ID]` */
export async function listTools(id: string | undefined, options: LibraryOptions & ListOptions) {
  const { thread, json, libraries, sources } = options;
  if (libraries) return listLibraries(json);
  if (sources) return (await import("../sources/sources.js")).listSources({ json });
  if (id !== undefined) return showTool(id, options);
  const settings = await libraryContext(options);
  const library = await openLibrary(settings);
  const made =
    thread === undefined
      ? undefined
      : (await madeBy(thread, library.name)).flatMap((each) => each.tools);
  const tools = library.list().filter(({ id }) => made === undefined || made.includes(id));
  if (made?.length === 0) tell(`thread ${thread} has made no tools`);
  printList(tools, options);
}

interface ListOptions {
  libraries?: boolean;
  sources?: boolean;
  /** Only tools with this text in their id or description. */
  filter?: string;
  /** Most tools to print. */
  limit?: number;
  json?: boolean;
}

/** Characters of a description beside a tool's id. */
const LONGEST_BRIEF = 100;

function printList(tools: readonly ToolRecord[], { filter, limit, json }: ListOptions): void {
  const wanted = filter?.toLowerCase() ?? "";
  const chosen = tools.filter(({ id, description }) =>
    `${id}\n${description}`.toLowerCase().includes(wanted),
  );
  const shown = chosen.slice(0, limit);
  if (json) return printJson(shown);
  const rows = shown.map(({ id, description }) => [id, inBrief(description, LONGEST_BRIEF)]);
  printTable({ rows, last: "cut" });
  const facts = [
    chosen.length < tools.length ? `${chosen.length} of ${tools.length} tools match` : "",
    shown.length < chosen.length ? `${chosen.length - shown.length} more are not shown` : "",
  ].filter(Boolean);
  if (facts.length > 0) tell(facts.join("; "));
}

async function listLibraries(json?: boolean): Promise<void> {
  const { store } = openWorkspace();
  const libraries = [];
  for (const name of await libraryNames(store)) {
    const known = await store.describe(name);
    const { size: tools, description = "", adapters = [] } = known ?? {};
    libraries.push({ name, tools, description, adapters });
  }
  if (json) return printJson(libraries);
  printTable({
    rows: libraries.map(({ name, tools, description, adapters }) => [
      name,
      tools === undefined ? "not used yet" : several(tools, "tool"),
      [description, ...adapters.map(adapterText)].filter(Boolean).join(" · "),
    ]),
  });
}

function adapterText({ model, revision, requests }: AdapterSummary): string {
  return `retriever ${revision} for ${model}, trained on ${requests} requests`;
}

async function showTool(id: string, options: LibraryOptions): Promise<void> {
  const { json } = options;
  const library = await openLibrary(await libraryContext(options));
  const tool = library.get(id);
  if (!tool) throw absentTool(library, id);
  const note = library.history(id).at(-1)?.note;
  if (json) return printJson({ ...tool, note });
  printTable({ rows: detailsOf(tool, note) });
  const code = writtenCode(tool);
  if (code) printLine(`\n${code}`);
}

/** Leaves out what the tool does not declare. */
function detailsOf(tool: ToolRecord, note: EditNote | undefined): string[][] {
  const { returns, cost, timeoutMs, approval, flow } = tool;
  const details: [string, string | number | undefined][] = [
    [tool.id, oneLine(tool.description)],
    ...parameterTexts(tool).map((text): [string, string] => ["parameter", text]),
    ["returns", returns && schemaText(returns)],
    ["effects", effectsText(tool)],
    ["flow", flow && flowText(tool)],
    ["cost", cost],
    ["time-out", timeoutMs === undefined ? undefined : `${timeoutMs} ms`],
    ["approval", approval ? "a person approves each call" : undefined],
    ...examplesOf(tool).map((example): [string, string] => ["example", example]),
    ...sourceOf(tool, note),
    ["version", tool.version],
  ];
  return details.flatMap(([label, value]) => (value === undefined ? [] : [[label, `${value}`]]));
}

function effectsText(tool: ToolRecord): string {
  const { effects, isLabelled } = tool;
  if (isUnvouched(tool))
    return "write; its source says that it only reads, and nobody has vouched for it";
  return isLabelled ? `${effects}, labelled by hand` : effects;
}

/** The examples of a made tool are the checks that each of its versions is tested with. */
function examplesOf({ name, source, examples = [] }: ToolRecord): readonly string[] {
  return source.kind === "generated"
    ? source.checks.map((check) => checkText({ name, source }, check))
    : examples;
}

function sourceOf(tool: ToolRecord, note: EditNote | undefined): [string, string | undefined][] {
  const { source } = tool;
  if (!writtenCode(tool)) return [["source", `${nameInSource(tool)} in ${source.file}`]];
  return [
    ["calls", calledTools(tool).join(", ") || undefined],
    ["made by", note?.by],
    ["why", note && oneLine(note.why)],
    ...(note?.breaks ?? []).map((check): [string, string] => ["no longer", check]),
  ];
}

function parameterTexts({ parameters: { properties, required = [] } }: ToolRecord): string[] {
  return Object.entries(properties).map(
    ([name, schema]) => `${name}${required.includes(name) ? "" : "?"}: ${schemaText(schema)}`,
  );
}

/** "number, the radius": a plain type by its name, anything else as JSON Schema, then its description. */
function schemaText({ description, ...schema }: JsonSchema): string {
  const { type, ...more } = schema;
  const isPlain = typeof type === "string" && Object.keys(more).length === 0;
  const shape = isPlain ? type : JSON.stringify(schema);
  return typeof description === "string" ? `${shape}, ${oneLine(description)}` : shape;
}
