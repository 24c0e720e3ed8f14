import { fileURLToPath } from "node:url";
import * as catalog from "../../../../tools/catalogs/robot/index.js";
import { BREAKFAST } from "../../../../tools/catalogs/robot/breakfast.js";
import type { RobotWorld, Scene } from "../../../../tools/catalogs/robot/state.js";
import { robotWorld } from "../../../../tools/catalogs/robot/world.js";
import { jsonResult } from "../../../../tools/runtime/calls/jsonResult.js";
import type { WorldDefinition } from "../../../../tools/runtime/worlds/worlds.js";
import { readSource } from "../../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../../tools/tool.js";

/** The catalog as tools, read from its source once. */
export async function robotTools(): Promise<ToolDefinition[]> {
  return await (reading ??= readCatalog());
}

let reading: Promise<ToolDefinition[]> | undefined;

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
  change: () => unknown;
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
  const context: ToolContext<RobotWorld> = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const given = TAKES_OBJECT.has(tool) ? [args] : parametersOf(tool).map((name) => args[name]);
  const result = await robotFunction(tool)(...given, context);
  return JSON.parse(jsonResult(result) ?? "null");
}

/** Tools whose arguments come as one object. */
const TAKES_OBJECT = new Set(["pour_into"]);

/**
 * The tools with their parameters in the order of the functions: as in the original, except `amount_ml`,
 * which is ours. The catalog's own test holds them against what the reader of sources finds.
 */
export const PARAMETERS: Record<string, string[]> = {
  get_objects: [],
  get_agents: [],
  is_person_busy_or_idle: ["person_name"],
  check_hindering_reasons: ["person_name", "object_name"],
  check_reach_object_for_robot: ["object_name"],
  hand_object_over_to_person: ["object_name", "person_name"],
  move_object_to_person: ["object_name", "person_name"],
  move_object_away_from_person: ["object_name", "away_from"],
  pour_into: ["source_container_name", "target_container_name", "amount_ml"],
  speak: ["person_name", "text"],
  point_at_object_or_agent: ["name"],
};

function parametersOf(tool: string): string[] {
  const names = PARAMETERS[tool];
  if (names === undefined) throw new Error(`no tool ${tool}`);
  return names;
}

/** The function of a tool: `get_objects` is `getObjects`. */
function robotFunction(tool: string): (...given: unknown[]) => unknown {
  const name = tool.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
  const found = (catalog as unknown as Record<string, (...given: unknown[]) => unknown>)[name];
  if (found === undefined) throw new Error(`the catalog does not export ${name}`);
  return found;
}
