import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as catalog from "../../../../tools/catalogs/office/index.js";
import { SAMPLE_OFFICE } from "../../../../tools/catalogs/office/sample.js";
import type { OfficeWorld } from "../../../../tools/catalogs/office/state.js";
import { officeWorld } from "../../../../tools/catalogs/office/world.js";
import { readSource } from "../../../../tools/sources/index.js";
import type { ToolContext, ToolDefinition } from "../../../../tools/tool.js";

/** The folder of WorkBench, if it exists beside the project. */
export const WORKBENCH = fileURLToPath(
  new URL("../../../../../shared/bench/workbench/", import.meta.url),
);

export const HAS_WORKBENCH = existsSync(WORKBENCH);

/** One call of a task as WorkBench records it. */
export interface RecordedCall {
  tool: string;
  args: Record<string, string>;
  out: unknown;
}

/** A file of WorkBench with one JSON value a line. */
export function workbenchLines<Line>(name: string): Line[] {
  const text = readFileSync(`${WORKBENCH}${name}`, "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** The invented office and a context on a new copy of it. */
export const sampleWorld = officeWorld({ tables: SAMPLE_OFFICE });

export function sampleContext(): ToolContext<OfficeWorld> {
  return contextOn(sampleWorld.create());
}

/** The context of a call on a world. */
export function contextOn(world: OfficeWorld): ToolContext<OfficeWorld> {
  return {
    world,
    signal: new AbortController().signal,
    threadId: "thread",
    callId: "call",
    callTool: () => Promise.reject(new Error("no other tool is called")),
  };
}

/** What a run on the invented office has changed so far. */
export function changeOf({ world }: ToolContext<OfficeWorld>): unknown {
  return sampleWorld.save(world);
}

/** The catalog as tools, read from its source once. */
export async function officeTools(): Promise<ToolDefinition[]> {
  return await (reading ??= readCatalog());
}

let reading: Promise<ToolDefinition[]> | undefined;

async function readCatalog(): Promise<ToolDefinition[]> {
  const file = fileURLToPath(
    new URL("../../../../tools/catalogs/office/index.ts", import.meta.url),
  );
  const { tools, problems } = await readSource({ file, catalog: "office" });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
  return tools;
}

/** A function of the catalog, whatever it takes. */
export type OfficeFunction = (args: unknown, ctx: ToolContext<OfficeWorld>) => unknown;

/** The function of a tool: `calendar.search_events` is `searchEvents`. */
export function officeFunction(tool: string): OfficeFunction {
  const call = (catalog as unknown as Record<string, OfficeFunction>)[exportOf(tool)];
  if (call === undefined) throw new Error(`the catalog does not export ${exportOf(tool)}`);
  return call;
}

/** The name under which the catalog exports a tool. */
export function exportOf(tool: string): string {
  const [, words = ""] = tool.split(".");
  return words.replaceAll(/_(\w)/g, (_match, letter: string) => letter.toUpperCase());
}
