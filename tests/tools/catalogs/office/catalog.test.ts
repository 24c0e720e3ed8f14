import { beforeAll, describe, expect, it } from "vitest";
import * as catalog from "../../../../tools/catalogs/office/index.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { exportOf, HAS_WORKBENCH, officeTools, workbenchLines } from "./support.js";

interface BenchmarkTool {
  name: string;
  description: string;
  parameters: { properties: Record<string, { description: string }> };
  side_effect: boolean;
}

let tools: ToolDefinition[];
beforeAll(async () => {
  tools = await officeTools();
});

describe("the office catalog", () => {
  it("exports exactly its 27 tools", () => {
    expect(tools).toHaveLength(27);
    const exported = tools.map(({ name }) => exportOf(name));
    expect(Object.keys(catalog).toSorted()).toEqual(exported.toSorted());
  });

  it("gives every tool and every parameter a text, and every tool a context", () => {
    for (const { name, description, parameters, returns, source } of tools) {
      expect(description).toMatch(/^[A-Z].{20,}\.$/su);
      expect(returns?.description).toMatch(/\w{3,}/u);
      expect(source).toMatchObject({
        catalog: "office",
        exportName: exportOf(name),
        takesContext: true,
      });
      for (const schema of Object.values(parameters.properties)) {
        expect(schema).toMatchObject({ type: "string", description: expect.stringMatching(/\w/u) });
      }
    }
  });

  it("gives no two tools the same description", () => {
    expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length);
  });

  it.skipIf(!HAS_WORKBENCH)(
    "has the benchmark's tools with their names, parameters and effects (skipped where ../shared/bench is absent)",
    () => {
      const wanted = workbenchLines<BenchmarkTool>("tools.jsonl").map((tool) => ({
        name: tool.name,
        parameters: Object.keys(tool.parameters.properties),
        effects: tool.side_effect ? "write" : "read",
      }));
      const offered = tools.map(({ name, parameters, effects }) => ({
        name,
        parameters: Object.keys(parameters.properties),
        effects,
      }));
      expect(byName(offered)).toEqual(byName(wanted));
    },
  );

  it.skipIf(!HAS_WORKBENCH)(
    "describes them in words of its own (skipped where ../shared/bench is absent)",
    () => {
      const theirs = workbenchLines<BenchmarkTool>("tools.jsonl").flatMap((tool) => [
        tool.description,
        ...Object.values(tool.parameters.properties).map(({ description }) => description),
      ]);
      const ours = tools.flatMap(({ description, parameters }) => [
        description,
        ...Object.values(parameters.properties).map((schema) => schema.description),
      ]);
      expect(ours.filter((text) => theirs.includes(String(text)))).toEqual([]);
    },
  );
});

function byName<Tool extends { name: string }>(list: Tool[]): Tool[] {
  return list.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
