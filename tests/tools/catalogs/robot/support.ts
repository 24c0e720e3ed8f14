import { fileURLToPath } from "node:url";
import { BREAKFAST } from "../../../../tools/catalogs/robot/breakfast.js";
import type { RobotWorld, Scene } from "../../../../tools/catalogs/robot/state.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { definitionHash } from "../../../../tools/library/hash.js";
import { callArguments } from "../../../../tools/runtime/callArguments.js";
import { loadCatalogFunction } from "../../../../tools/runtime/catalogFunctions.js";
import { jsonResult } from "../../../../tools/runtime/jsonResult.js";
import { validateArguments } from "../../../../tools/runtime/validateArguments.js";
import type { WorldDefinition } from "../../../../tools/runtime/worlds.js";
import { readSource } from "../../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../../tools/tool.js";

/** The catalogue as tools, read from its source once. */
export async function robotTools(): Promise<ToolDefinition[]> {
  return await (reading ??= readCatalogue());
}

let reading: Promise<ToolDefinition[]> | undefined;

async function readCatalogue(): Promise<ToolDefinition[]> {
  const file = fileURLToPath(new URL("../../../../tools/catalogs/robot/index.ts", import.meta.url));
  const { tools, problems } = await readSource({ file, catalog: "robot" });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return tools;
}

/** A table on which tools can be called. */
export interface TestTable {
  /** Calls a tool as a run does: arguments are checked, and what fails has changed nothing. */
  call: (tool: string, args?: Record<string, unknown>) => Promise<unknown>;
  world: () => RobotWorld;
  /** What has been done so far, as JSON. */
  change: () => unknown;
}

/** A table with the breakfast on it, or another scene. */
export function tableWith(scene: Scene = BREAKFAST): TestTable {
  return tableOf({ definition: robotWorld({ scenes: { scene }, start: "scene" }) });
}

/** A table of a world, at one of its starts. */
export function tableOf(options: {
  definition: WorldDefinition<RobotWorld>;
  start?: string;
}): TestTable {
  const { definition, start } = options;
  let saved = definition.save(definition.create(start));
  return {
    async call(tool, args = {}) {
      const world = definition.load(saved);
      const result = await callOn({ world, tool, args });
      saved = JSON.parse(jsonResult(definition.save(world)) ?? "null");
      return result;
    },
    world: () => definition.load(saved),
    change: () => definition.change?.(definition.load(saved)),
  };
}

async function callOn(options: {
  world: RobotWorld;
  tool: string;
  args: Record<string, unknown>;
}): Promise<unknown> {
  const { world, tool, args } = options;
  const definition = (await robotTools()).find(({ id }) => id === tool);
  if (definition?.source.kind !== "function") throw new Error(`no tool ${tool}`);
  const record = { ...definition, version: 1, hash: definitionHash(definition) };
  const check = validateArguments({ record, args });
  if (!check.ok) throw new Error(`${tool}: ${check.problem}`);
  const { exportName } = definition.source;
  const target = await loadCatalogFunction({ catalog: "robot", exportName });
  const context: ToolContext<RobotWorld> = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const result = await target(...callArguments({ record, args: check.args }), context);
  return JSON.parse(jsonResult(result) ?? "null");
}
