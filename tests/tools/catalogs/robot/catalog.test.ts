import { beforeAll, describe, expect, it } from "vitest";
import { CATALOGS } from "../../../../tools/catalogs/index.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { PARAMETERS, robotTools } from "./support.js";

let tools: ToolDefinition[];
beforeAll(async () => {
  tools = await robotTools();
});

describe("the robot's catalog", () => {
  it("has the tools and parameters of the published simulation", () => {
    const offered = tools.map(({ name, parameters }) => [name, Object.keys(parameters.properties)]);
    expect(Object.fromEntries(offered)).toEqual(PARAMETERS);
    const pour = tools.find(({ name }) => name === "pour_into");
    expect(pour?.parameters.required).not.toContain("amount_ml");
  });

  it("declares look-ups as reads and everything else as writes", () => {
    const looks = /^(?:get|is|check)_/;
    for (const { name, effects } of tools)
      expect(effects).toBe(looks.test(name) ? "read" : "write");
  });

  it("gives every tool and every parameter a text of its own", () => {
    for (const { description, parameters, returns } of tools) {
      expect(description).toMatch(/^[A-Z].{20,}\.$/su);
      expect(returns?.description).toMatch(/\w{3,}/u);
      for (const schema of Object.values(parameters.properties)) {
        expect(schema.description).toMatch(/\w{3,}/u);
      }
    }
    expect(new Set(tools.map(({ description }) => description)).size).toBe(tools.length);
  });

  it("comes with the character, so that a model is told it wherever the library is used", () => {
    expect(CATALOGS["robot"]?.background).toContain("the tool speak");
  });
});
