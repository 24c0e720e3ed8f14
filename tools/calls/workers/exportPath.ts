import { pathToFileURL } from "node:url";

/**
 * The path from a module to a function or tool in its exports, as one text: "add", "api.issues.list", "tools.weather".
 * In an array, a step is the member's own name, so the order of members does not matter.
 */
export function pathText(steps: readonly string[]): string {
  return steps.map((step) => (PLAIN.test(step) ? step : JSON.stringify(step))).join(".");
}

/** The steps of a path, starting with the name of the export. */
export function pathSteps(path: string): string[] {
  const steps = path.match(/"(?:[^"\\]|\\.)*"|[^."]+/g) ?? [];
  return steps.map((step) => (step.startsWith('"') ? (JSON.parse(step) as string) : step));
}

const PLAIN = /^[^."]+$/;

/** Imports a user's file and returns its exports by name; those of a CommonJS file are on the default export. */
export async function moduleExports(file: string): Promise<Record<string, unknown>> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const inside = module.default;
  if (typeof inside !== "object" || inside === null) return module;
  return "__esModule" in inside || file.endsWith(".cjs") ? { ...inside } : module;
}

/** What a path leads to, and its owner: the `this` of a method. */
interface Reached {
  value: unknown;
  owner: unknown;
}

/** Follows a path through the exports of a module; `value` is undefined if it leads nowhere. */
export async function reach(exports: object, path: string): Promise<Reached> {
  let reached: Reached = { value: exports, owner: undefined };
  for (const step of pathSteps(path)) {
    const { value: owner } = reached;
    reached = { value: await memberOf(owner, step), owner: owner === exports ? undefined : owner };
  }
  return reached;
}

function memberOf(owner: unknown, step: string): unknown {
  if (Array.isArray(owner)) return owner.find((member) => ownName(member) === step);
  const isHolder = (typeof owner === "object" && owner !== null) || typeof owner === "function";
  return isHolder ? (owner as Record<string, unknown>)[step] : undefined;
}

/** A member's own name, without which it cannot be reached in an array. */
export function ownName(member: unknown): string | undefined {
  return typeof member === "function" ? member.name : langChainTool(member)?.name;
}

/** The fields of a LangChain tool that are used. */
interface LangChainTool {
  name: string;
  description: string;
  /** A Zod schema or a JSON Schema. */
  schema: unknown;
  metadata?: Record<string, unknown>;
  invoke: (args: unknown, options: { signal: AbortSignal }) => unknown;
}

/**
 * Recognises a LangChain tool by the shape of its object: a user's copy of the package is not ours, and here none may be
 * installed.
 */
export function langChainTool(value: unknown): LangChainTool | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const tool = value as Partial<LangChainTool>;
  const isTool =
    typeof tool.invoke === "function" &&
    typeof tool.name === "string" &&
    typeof tool.description === "string" &&
    tool.schema !== undefined;
  return isTool ? (tool as LangChainTool) : undefined;
}
