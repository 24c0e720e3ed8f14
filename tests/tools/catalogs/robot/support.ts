import { fileURLToPath } from "node:url";
import * as catalog from "../../../../tools/catalogs/robot/index.js";
import { BREAKFAST, robotWorld } from "../../../../tools/catalogs/robot/world.js";
import type { RobotChange, RobotWorld, Scene } from "../../../../tools/catalogs/robot/state.js";
import { callArguments } from "../../../../tools/runtime/calls/callArguments.js";
import { jsonResult } from "../../../../tools/runtime/calls/jsonResult.js";
import type { WorldDefinition } from "../../../../tools/runtime/worlds/worlds.js";
import { readSource } from "../../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../../tools/tool.js";

/** The catalog as tools, read from its source once. */
export const ROBOT_TOOLS: readonly ToolDefinition[] = await readCatalog();

async function readCatalog(): Promise<ToolDefinition[]> {
  const file = fileURLToPath(new URL("../../../../tools/catalogs/robot/index.ts", import.meta.url));
  const { tools, problems } = await readSource({ file, catalog: "robot" });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return tools;
}

/** A table on which tools can be called. */
export interface TestTable {
  /** Calls a tool; as in a run, a failed call changes nothing. */
  call: (tool: string, args?: Record<string, unknown>) => Promise<unknown>;
  world: () => RobotWorld;
  /** What has been done so far, as JSON. */
  change: () => RobotChange;
}

/** A table with the breakfast on it, or another scene. */
export function tableWith(scene: Scene = BREAKFAST): TestTable {
  return tableOf({ definition: robotWorld({ scenes: { scene }, start: "scene" }) });
}

/** A table of a world, at one of its starting scenes. */
export function tableOf(options: {
  definition: WorldDefinition<RobotWorld>;
  start?: string;
}): TestTable {
  const { definition, start } = options;
  let saved = definition.save(definition.create(start));
  return {
    async call(tool, args = {}) {
      const world = definition.load(saved);
      const result = await callOn(world, tool, args);
      saved = JSON.parse(jsonResult(definition.save(world)) ?? "null");
      return result;
    },
    world: () => definition.load(saved),
    change: () => definition.change?.(definition.load(saved)) as RobotChange,
  };
}

async function callOn(
  world: RobotWorld,
  tool: string,
  args: Record<string, unknown>,
): Promise<unknown> {
  const record = ROBOT_TOOLS.find(({ id }) => id === tool);
  if (record?.source.kind !== "function") throw new Error(`no tool ${tool}`);
  const context: ToolContext<RobotWorld> = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const called = (catalog as unknown as Record<string, (...given: unknown[]) => unknown>)[
    record.source.exportName
  ];
  const result = await called?.(...callArguments({ record, args }), context);
  return JSON.parse(jsonResult(result) ?? "null");
}
