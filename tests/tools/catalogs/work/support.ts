import * as catalog from "../../../../tools/catalogs/work/index.js";
import { SAMPLE_WORK } from "../../../../tools/catalogs/work/sample.js";
import type { WorkItem, WorkWorld } from "../../../../tools/catalogs/work/state.js";
import { workWorld } from "../../../../tools/catalogs/work/world.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { asJson, callFunction, catalogTools } from "../support.js";

/** The catalog as tools, read from its source once. */
export const WORK_TOOLS: readonly ToolDefinition[] = await catalogTools("work");

/** A company for whose work tools can be called. */
export interface TestCompany {
  /** Calls a tool; as in a run, a failed call changes nothing. */
  call: (tool: string, args?: Record<string, unknown>) => unknown;
  world: () => WorkWorld;
  /** A work item as it is now. */
  item: (id: string) => WorkItem;
  /** What has been done so far, as JSON. */
  change: () => unknown;
}

/** The company that ships, as it is at the start of a run. */
export function company(): TestCompany {
  const definition = workWorld({ tables: SAMPLE_WORK });
  let saved: unknown = definition.save(definition.create());
  const world = () => definition.load(saved);
  return {
    call(tool, args = {}) {
      const now = world();
      const result = callFunction({
        functions: catalog,
        tools: WORK_TOOLS,
        world: now,
        tool,
        args,
      });
      saved = asJson(definition.save(now));
      return asJson(result);
    },
    world,
    item(id) {
      const found = world().tables.work_items[id];
      if (found === undefined) throw new Error(`no work item ${id}`);
      return found;
    },
    change: () => saved,
  };
}
