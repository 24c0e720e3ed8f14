import { fileURLToPath } from "node:url";
import * as catalog from "../../../../tools/catalogs/work/index.js";
import { SAMPLE_WORK } from "../../../../tools/catalogs/work/sample.js";
import type { WorkItem, WorkWorld } from "../../../../tools/catalogs/work/state.js";
import { workWorld } from "../../../../tools/catalogs/work/world.js";
import { callArguments } from "../../../../tools/runtime/calls/callArguments.js";
import { jsonResult } from "../../../../tools/runtime/calls/jsonResult.js";
import { readSource } from "../../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../../tools/tool.js";

/** The catalog as tools, read from its source once. */
export const WORK_TOOLS: readonly ToolDefinition[] = await readCatalog();

async function readCatalog(): Promise<ToolDefinition[]> {
  const file = fileURLToPath(new URL("../../../../tools/catalogs/work/index.ts", import.meta.url));
  const { tools, problems } = await readSource({ file, catalog: "work" });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return tools;
}

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
      const result = callIn(now, tool, args);
      saved = JSON.parse(jsonResult(definition.save(now)) ?? "null");
      return result;
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

function callIn(world: WorkWorld, tool: string, args: Record<string, unknown>): unknown {
  const record = WORK_TOOLS.find(({ id }) => id === tool);
  if (record?.source.kind !== "function") throw new Error(`no tool ${tool}`);
  const context: ToolContext<WorkWorld> = {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
  const called = (catalog as unknown as Record<string, (...given: unknown[]) => unknown>)[
    record.source.exportName
  ];
  const result = called?.(...callArguments({ record, args }), context);
  return JSON.parse(jsonResult(result) ?? "null");
}
