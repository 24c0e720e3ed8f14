import { fileURLToPath } from "node:url";
import { callArguments } from "../../../tools/calls/engine/callArguments.js";
import { jsonResult } from "../../../tools/calls/engine/jsonResult.js";
import { readSource } from "../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../tools/tool.js";

/** The tools of a catalog, read from its source. */
export async function catalogTools(catalog: string): Promise<ToolDefinition[]> {
  const file = new URL(`../../../tools/catalogs/${catalog}/index.ts`, import.meta.url);
  const { tools, problems } = await readSource({ file: fileURLToPath(file), catalog });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return tools;
}

/** Calls the function of a tool as a run does, in this process. */
export function callFunction(options: {
  /** The exports of the catalog. */
  functions: object;
  tools: readonly ToolDefinition[];
  world: unknown;
  tool: string;
  args: Record<string, unknown>;
}): unknown {
  const { functions, tools, world, tool, args } = options;
  const record = tools.find(({ id }) => id === tool);
  if (record?.source.kind !== "function") throw new Error(`no tool ${tool}`);
  const context: ToolContext = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const called = (functions as Record<string, (...given: unknown[]) => unknown>)[
    record.source.exportName
  ];
  return called?.(...callArguments({ record, args }), context);
}

/** A value as a run gets it. */
export function asJson(value: unknown): unknown {
  return JSON.parse(jsonResult(value) ?? "null");
}
