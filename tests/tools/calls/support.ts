import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import { sha256 } from "../../../tools/library/records/hash.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { defineWorld } from "../../../tools/calls/worlds/worlds.js";
import type { CounterWorld } from "../../fixtures/runtime/catalogs/counter/index.js";

const FIXTURES = new URL("../../fixtures/runtime/", import.meta.url);

export const TOOLS_FILE = fileURLToPath(new URL("tools.ts", FIXTURES));

export const LANGCHAIN_FILE = fileURLToPath(new URL("langchainTools.ts", FIXTURES));

export const CATALOGS = new URL("catalogs/", FIXTURES);

/** A folder that is removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-runtime-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** What a test says of a tool; the rest is filled in. */
type Tool = Partial<Omit<ToolRecord, "source" | "parameters">> & {
  properties?: Record<string, JsonSchema>;
  required?: string[];
  source?: Partial<ToolRecord["source"]> & { rest?: boolean };
};

/** The record of a function of the fixtures; parameters are numbers unless they are given. */
export function toolRecord(
  name: string,
  { properties = {}, required, source, ...tool }: Tool = {},
) {
  const record = {
    id: name,
    name,
    description: name,
    effects: "write" as const,
    version: 1,
    ...tool,
    parameters: {
      type: "object" as const,
      properties,
      required: required ?? [],
      additionalProperties: false,
    },
    source: {
      kind: "function" as const,
      file: TOOLS_FILE,
      exportName: name,
      callStyle: "positional" as const,
      parameterNames: Object.keys(properties),
      takesContext: false,
      ...source,
    } as ToolRecord["source"],
  };
  return { ...record, hash: sha256(JSON.stringify(record)) } satisfies ToolRecord;
}

/** The record of a function of the catalog with the counter. */
export function counterTool(name: string, tool: Tool = {}) {
  const source = { catalog: "counter", takesContext: true, ...tool.source };
  return toolRecord(name, { ...tool, source });
}

export const COUNTER = defineWorld<CounterWorld>({
  name: "counter",
  create: () => ({ value: 0, history: [] }),
  save: (world) => world,
  load: (saved) => saved as CounterWorld,
});

export const NUMBER = { type: "number" };

export const TEXT = { type: "string" };
