import { toJsonSchema } from "@langchain/core/utils/json_schema";
import { langChainTool, ownName, pathText } from "../workers/exportPath.js";
import { thrownText } from "../engine/thrownText.js";

/** One LangChain tool in a module's exports, as plain data. */
export interface ListedTool {
  /** Where it is in the exports (`tools/calls/workers/exportPath.ts`). */
  path: string;
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema?: unknown;
  metadata: Record<string, unknown>;
  /** Why it cannot be used. */
  problem?: string;
}

const DEEPEST = 4;

/**
 * The LangChain tools in the exports of a module. One exported in several ways is listed once: under its own name, else as
 * a member, else as the default.
 */
export async function listedTools(exports: Record<string, unknown>): Promise<ListedTool[]> {
  const found: { value: unknown; steps: string[] }[] = [];
  for (const [name, value] of Object.entries(exports)) found.push(...toolsIn(await value, [name]));
  const inOrder = found.toSorted((left, right) => rank(left.steps) - rank(right.steps));
  const paths = new Map<unknown, string>();
  for (const { value, steps } of inOrder) {
    if (!paths.has(value)) paths.set(value, pathText(steps));
  }
  return [...paths].flatMap(([value, path]) => listedTool(value, path) ?? []);
}

/** Exports first, then their members, then the default. */
function rank(steps: string[]): number {
  return steps[0] === "default" ? 2 : Math.min(steps.length - 1, 1);
}

function toolsIn(value: unknown, steps: string[]): { value: unknown; steps: string[] }[] {
  if (langChainTool(value)) return [{ value, steps }];
  if (steps.length > DEEPEST) return [];
  return membersOf(value).flatMap(([step, member]) => toolsIn(member, [...steps, step]));
}

function membersOf(value: unknown): [string, unknown][] {
  if (Array.isArray(value)) return value.map((member: unknown) => [ownName(member) ?? "", member]);
  if (typeof value !== "object" || value === null) return [];
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object literal, or the namespace of a module.
  return prototype === null || prototype === Object.prototype ? Object.entries(value) : [];
}

function listedTool(value: unknown, path: string): ListedTool | undefined {
  const tool = langChainTool(value);
  if (tool === undefined) return undefined;
  const { name, description, metadata = {} } = tool;
  const common = { path, name, description, metadata: asJson(metadata) };
  try {
    // For input: a schema's output always has its properties with defaults, so they would be required.
    const schema = toJsonSchema(tool.schema as Parameters<typeof toJsonSchema>[0], { io: "input" });
    return { ...common, schema: asJson(schema) };
  } catch (error) {
    return { ...common, problem: `has a schema that JSON cannot express: ${thrownText(error)}` };
  }
}

/** Without functions and instances of classes. */
function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
