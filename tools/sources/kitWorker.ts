import { parentPort, workerData } from "node:worker_threads";
import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { moduleExports, ownName, pathText } from "../threads/exportPath.js";
import { type KitTool, kitTool, madeSchema } from "../threads/kitTool.js";
import { printToStandardError, untilPrinted } from "../threads/printing.js";
import { type ListedTool, type Listing, oneLine } from "./kitList.js";

// Entry of a worker thread: imports one module, answers once and waits to be terminated.

/** How deep objects in objects are followed. */
const DEEPEST = 4;

if (parentPort === null) throw new Error("kitWorker.ts is the entry of a worker thread");
const host = parentPort;
const { file } = workerData as { file: string };
printToStandardError();
const listing = await listTools();
await untilPrinted();
host.postMessage(listing, []);

async function listTools(): Promise<Listing> {
  try {
    return { tools: await listedTools(await moduleExports(file)) };
  } catch (error) {
    return { failure: oneLine(error) };
  }
}

/** A value and the path to it. */
interface Place {
  value: unknown;
  steps: string[];
}

/** A tool exported in several ways is listed once: under its own name, else as a member, else as the default. */
async function listedTools(exports: Record<string, unknown>): Promise<ListedTool[]> {
  const places: Place[] = [];
  for (const [name, value] of Object.entries(exports)) {
    places.push({ value: await value, steps: [name] });
  }
  const found = places.flatMap((place) => toolsIn(place));
  const inOrder = [isOwn, isMember, isDefault].flatMap((fits) => found.filter(fits));
  const seen = new Set<unknown>();
  const listed: ListedTool[] = [];
  for (const { value, tool, steps } of inOrder) {
    if (seen.has(value)) continue;
    seen.add(value);
    listed.push(await listedTool(tool, steps));
  }
  return listed;
}

interface Found extends Place {
  tool: KitTool;
}

function isDefault({ steps: [first] }: Place): boolean {
  return first === "default";
}

function isOwn(place: Place): boolean {
  return place.steps.length === 1 && !isDefault(place);
}

function isMember(place: Place): boolean {
  return place.steps.length > 1 && !isDefault(place);
}

function toolsIn({ value, steps }: Place): Found[] {
  const tool = kitTool(value);
  if (tool !== undefined) return [{ value, tool, steps }];
  if (steps.length > DEEPEST) return [];
  return membersOf(value).flatMap(([step, member]) =>
    toolsIn({ value: member, steps: [...steps, step] }),
  );
}

function membersOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) {
    return value.map((member: unknown, index) => [ownName(member) ?? `[${index}]`, member]);
  }
  return isPlain(value) ? Object.entries(value) : [];
}

/** An object literal, or the namespace of a module. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

async function listedTool(found: KitTool, steps: string[]): Promise<ListedTool> {
  const { kit, description, settings } = found;
  const key = steps.at(-1) ?? "";
  const name = found.name ?? key;
  const common = {
    path: pathText(steps),
    kit,
    description,
    name,
    settings: asJson(settings),
  };
  if (name === "default" || key.startsWith("[")) {
    const problem = 'has no name; export it under one, or in an object: { "weather": tool(…) }';
    return { ...common, name: `${steps[0]}${steps.length > 1 ? key : ""}`, problem };
  }
  if (found.call === undefined) {
    return { ...common, problem: "has no execute: only its provider or a client can run it" };
  }
  try {
    const returns = opened(await jsonSchemaOf(found.output).catch(() => undefined));
    const schema = (await jsonSchemaOf(found.schema)) ?? { type: "object", properties: {} };
    return { ...common, schema, ...(returns === undefined ? {} : { returns }) };
  } catch (error) {
    return { ...common, problem: `has a schema that JSON cannot express: ${oneLine(error)}` };
  }
}

/** For input: a schema's output always has its properties with defaults, so they would be required. */
async function jsonSchemaOf(written: unknown): Promise<unknown> {
  const schema = madeSchema(written);
  if (schema === undefined) return undefined;
  const isWrapped = typeof schema === "object" && schema !== null && "jsonSchema" in schema;
  if (isWrapped) return asJson(await schema.jsonSchema);
  return asJson(toJsonSchema(schema as Parameters<typeof toJsonSchema>[0], { io: "input" }));
}

/** A result may have more properties than its schema names; Zod's objects allow that, too. */
function opened(schema: unknown): unknown {
  if (schema === undefined) return undefined;
  const text = JSON.stringify(schema, (key, value: unknown) =>
    key === "$schema" || (key === "additionalProperties" && value === false) ? undefined : value,
  );
  return JSON.parse(text);
}

/** Functions and class instances cannot be sent to the host. */
function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
