import * as catalog from "../../../../tools/catalogs/robot/index.js";
import { BREAKFAST, robotWorld } from "../../../../tools/catalogs/robot/world.js";
import type { RobotChange, RobotWorld, Scene } from "../../../../tools/catalogs/robot/state.js";
import type { WorldDefinition } from "../../../../tools/runtime/worlds/worlds.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { asJson, callFunction, catalogTools } from "../support.js";

/** The catalog as tools, read from its source once. */
export const ROBOT_TOOLS: readonly ToolDefinition[] = await catalogTools("robot");

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
      const result: unknown = await callFunction({
        functions: catalog,
        tools: ROBOT_TOOLS,
        world,
        tool,
        args,
      });
      saved = asJson(definition.save(world));
      return asJson(result);
    },
    world: () => definition.load(saved),
    change: () => definition.change?.(definition.load(saved)) as RobotChange,
  };
}
