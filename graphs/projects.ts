import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseEnv } from "node:util";
import { z } from "zod";
import { InvalidSetting, messageOf } from "../common/errors.js";
import { fileText } from "../common/dataFile.js";
import { issueText } from "../common/schemas/issueText.js";
import { importUserFile } from "../tools/calls/workers/importUserFile.js";
import type { About } from "./about.js";
import type { AgentGraph } from "./compile.js";

/** An export of a project's file, as `./agent.ts:graph` names it. */
export interface ProjectExport {
  file: string;
  symbol: string;
}

export interface ProjectGraph extends ProjectExport {
  about: About;
  /** What `LANGGRAPH_CONFIG` says of its own assistant. */
  config: Record<string, unknown>;
  context: Record<string, unknown>;
  /** A graph of this process itself, which is offered to nobody. */
  own?: AgentGraph;
}

const graphs = new Map<string, ProjectGraph>();

/** The graph of that name, if it is a project's. */
export function projectGraph(name: string): ProjectGraph | undefined {
  return graphs.get(name);
}

export function projectGraphNames(): string[] {
  return [...graphs].flatMap(([name, { own }]) => (own ? [] : name));
}

/** Makes a graph of this process known, as which parts of a server have runs of their own. */
export function addOwnGraph(name: string, own: AgentGraph, summary: string): void {
  const about: About = { summary, source: "this server", budget: "enforced", modelCalls: 0 };
  graphs.set(name, { own, about, file: "", symbol: "", config: {}, context: {} });
}

const place = z.string().regex(/^[^:]+(:[\w$]+)?$/, 'expected "./file.ts:export"');
const described = z.looseObject({ path: place, description: z.string().optional() });

const projectForm = z.looseObject({
  graphs: z.record(z.string(), z.union([place, described])),
  env: z.union([z.string(), z.record(z.string(), z.coerce.string())]).optional(),
  ui: z.record(z.string(), z.string()).optional(),
  ui_config: z.looseObject({ shared: z.array(z.string()).optional() }).optional(),
  http: z
    .strictObject(
      { app: place.optional() },
      {
        error: "only app is offered; the operator's file says which hosts and origins may come in",
      },
    )
    .optional(),
  auth: z
    .strictObject(
      { path: place, disable_studio_auth: z.literal(true).optional() },
      { error: "expected a path alone: Studio comes in like everybody else" },
    )
    .optional(),
});

const perGraph = z.record(
  z.string(),
  z.looseObject({ context: z.record(z.string(), z.unknown()).optional() }),
);

/** Whether this is the file of a LangGraph.js project, rather than an operator's, whose `graphs` are a list. */
export function isProjectFile(file: string): boolean {
  try {
    const { graphs: given } = Object(JSON.parse(fileText(file))) as {
      graphs?: unknown;
    };
    return typeof given === "object" && given !== null && !Array.isArray(given);
  } catch {
    return false;
  }
}

/** Fields of a project's file that LangGraph's own server knows, and without which its graphs run. */
const NOT_OFFERED = ["store", "checkpointer"];

/** What a LangGraph.js project shows in chats (`ui` in its file). */
export interface ProjectUi {
  folder: string;
  /** The file of each set of components, by its name. */
  components: Record<string, string>;
  /** Packages that the page gives besides React (`ui_config`). */
  shared?: string[];
}

/** What a project's file asks for besides its graphs. */
export interface Project {
  app?: ProjectExport;
  auth?: ProjectExport;
  ui?: ProjectUi;
  notices: string[];
}

/**
 * Makes the graphs of a LangGraph.js project known under their names, which go before ours, and sets the variables of its
 * environment that are not set.
 *
 * @param file its `langgraph.json`
 * @throws InvalidSetting for a file that is not of that form
 */
export function openProject(file: string): Project {
  const given: unknown = JSON.parse(fileText(file));
  const read = projectForm.safeParse(given);
  if (!read.success) {
    const field = read.error.issues[0]?.path.join(".") || "the file";
    throw unusable(file, `${field}: ${issueText(read.error, given)}`);
  }
  const { env = {}, http, auth, ui, ui_config } = read.data;
  const folder = dirname(resolve(file));
  provideLogger();
  const envFile = typeof env === "string" ? resolve(folder, env) : undefined;
  const hasEnv = envFile === undefined || existsSync(envFile);
  const variables =
    typeof env !== "string" ? env : hasEnv ? parseEnv(fileText(envFile ?? env)) : {};
  for (const [name, value] of Object.entries(variables)) process.env[name] ??= value;
  const configs = perGraph.parse(JSON.parse(process.env["LANGGRAPH_CONFIG"] ?? "{}"));
  for (const [name, spec] of Object.entries(read.data.graphs)) {
    const { path, description } = typeof spec === "string" ? { path: spec } : spec;
    const { context = {}, ...config } = configs[name] ?? {};
    const found = exportIn(folder, path);
    if (!existsSync(found.file)) throw unusable(`graph ${name}`, `${found.file} does not exist`);
    const summary = description ?? `The graph ${name} of ${file}`;
    const about: About = { summary, source: found.file, budget: "ignored", modelCalls: 1 };
    graphs.set(name, { ...found, about, config, context });
  }
  const left = NOT_OFFERED.filter((field) => field in read.data).join(", ");
  return {
    notices: [
      ...(hasEnv ? [] : [`${file}: env is not read, because ${envFile} does not exist`]),
      ...(left === "" ? [] : [`${file}: ${left} of LangGraph's server is not offered`]),
    ],
    app: http?.app === undefined ? undefined : exportIn(folder, http.app),
    auth: auth && exportIn(folder, auth.path),
    ui: ui && { folder, components: ui, shared: ui_config?.shared },
  };
}

/** Where `getLogger` of LangGraph's SDK, whichever copy of it a graph has, finds the logger of its server. */
const LOGGER = Symbol.for("langgraph.api.sdk-logger");

function provideLogger(): void {
  const { error, warn, info, debug } = console;
  Object.assign(globalThis, { [LOGGER]: { error, warn, info, debug, log: info, verbose: debug } });
}

function exportIn(folder: string, path: string): ProjectExport {
  const [file = "", symbol = "default"] = path.split(":");
  return { file: resolve(folder, file), symbol };
}

/** The value of a project's export. @throws InvalidSetting if its file cannot be loaded or lacks it */
export async function loadExport({ file, symbol }: ProjectExport): Promise<unknown> {
  let exports: Record<string, unknown>;
  try {
    exports = await importUserFile(file);
  } catch (error) {
    throw unusable(file, `cannot be loaded (${messageOf(error)})`);
  }
  const found = await exports[symbol];
  if (found == null) throw unusable(file, `has no export "${symbol}"`);
  return found;
}

/** Makes the graph of a run, whose config the project's function may read. */
export type GraphFactory = (config: object) => Promise<AgentGraph>;

/** Loads a project's graph, which is compiled, a builder, or made by a function for each run. */
export async function loadProjectGraph(graph: ProjectGraph): Promise<AgentGraph | GraphFactory> {
  if (graph.own) return graph.own;
  const made = await loadExport(graph);
  if (typeof made !== "function") return compiled(made, graph);
  return async (config) => compiled(await (made as (config: object) => unknown)(config), graph);
}

function compiled(made: unknown, { file, symbol }: ProjectExport): AgentGraph {
  const { compile, graph: inner } = Object(made) as { compile?: () => unknown; graph?: unknown };
  const found = typeof compile === "function" ? compile.call(made) : made;
  // `createAgent` wraps its graph.
  const graph = inner !== undefined && isCompiled(inner) ? inner : found;
  if (isCompiled(graph)) return withAsync(graph);
  throw unusable(file, `its export "${symbol}" is neither a graph nor a function that makes one`);
}

function isCompiled(value: unknown): value is AgentGraph {
  const { getStateHistory, streamMode } = Object(value) as Record<string, unknown>;
  return typeof getStateHistory === "function" && streamMode !== undefined;
}

/** Gives a graph of an early LangGraph 0.2 the newer names of what it has. */
function withAsync(graph: AgentGraph): AgentGraph {
  const early: Partial<AgentGraph> = graph;
  early.getGraphAsync ??= async (options) => graph.getGraph(options);
  early.getSubgraphsAsync ??= async function* (namespace, recurse) {
    yield* early.getSubgraphs?.(namespace, recurse) ?? [];
  };
  return graph;
}

export type GraphSchemas = Partial<Record<"state" | "input" | "output" | "config", unknown>>;

/** What LangGraph's own server, if the project has it, reads from a graph's types and Zod schemas. */
interface SchemaReader {
  getStaticGraphSchema: (
    spec: object,
    options: { timeoutMs: number },
  ) => Promise<Record<string, GraphSchemas>>;
  getRuntimeGraphSchema?: (graph: unknown) => Promise<GraphSchemas | undefined>;
}

/**
 * The schemas of a project's graph, or of a subgraph of it, as LangGraph's own server reads them from its Zod schemas or its
 * types; undefined if neither the project nor this installation has that server.
 *
 * @param options.namespace of the subgraph
 */
export async function typedSchemas(options: {
  source: ProjectExport;
  graph: unknown;
  namespace?: string;
}): Promise<GraphSchemas | undefined> {
  const { source, graph, namespace } = options;
  try {
    const path = resolved("@langchain/langgraph-api/schema", source.file);
    const reader = (await import(pathToFileURL(path).href)) as SchemaReader;
    const exact = await reader.getRuntimeGraphSchema?.(graph);
    if (exact) return exact;
    const read = await (known.get(source) ?? readTypes(reader, source));
    const root = Object.keys(read).find((name) => !name.includes("|")) ?? "";
    return read[namespace === undefined ? root : `${root}|${namespace}`];
  } catch {
    // Neither has it, or TypeScript.
    return undefined;
  }
}

/** Where a module is that the project has, or else this installation. */
export function resolved(module: string, file: string): string {
  try {
    return createRequire(file).resolve(module);
  } catch {
    return createRequire(import.meta.url).resolve(module);
  }
}

/** How long types may take to be read, in milliseconds. */
const READ_MS = 120_000;

/** What was read from types, which takes seconds. */
const known = new WeakMap<ProjectExport, ReturnType<SchemaReader["getStaticGraphSchema"]>>();

function readTypes(reader: SchemaReader, source: ProjectExport) {
  const { file: sourceFile, symbol: exportSymbol } = source;
  const read = reader.getStaticGraphSchema({ sourceFile, exportSymbol }, { timeoutMs: READ_MS });
  known.set(source, read);
  // On a busy machine it may do another time.
  read.catch(() => known.delete(source));
  return read;
}

function unusable(setting: string, problem: string): InvalidSetting {
  return new InvalidSetting({ setting, problem });
}
