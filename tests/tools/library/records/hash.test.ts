import { describe, expect, it } from "vitest";
import { canonicalJson, definitionHash } from "../../../../tools/library/records/hash.js";
import type { ToolDefinition, ToolSource } from "../../../../tools/tool.js";
import { tool } from "../support.js";

const { source } = tool("add");

describe("the hash of a tool", () => {
  it.each<[string, Partial<ToolDefinition>]>([
    ["its name", { name: "sum" }],
    ["its description", { description: "Adds." }],
    ["its parameters", { parameters: { type: "object", properties: {} } }],
    ["what it returns", { returns: { type: "number" } }],
    ["its effects", { effects: "write" }],
    ["its cost", { cost: 1 }],
    ["its time-out", { timeoutMs: 10 }],
    ["its need of approval", { approval: true }],
    ["its examples", { examples: ["1 + 1"] }],
    ["how it is called", { source: { ...source, exportName: "other" } as ToolSource }],
  ])("changes with %s", (_what, details) => {
    expect(definitionHash(tool("add", details))).not.toBe(definitionHash(tool("add")));
  });

  it("does not change with its file, nor with the order in which its fields are written", () => {
    const moved = tool("add", { source: { ...source, file: "elsewhere.ts" } });
    const reversed = Object.fromEntries(Object.entries(tool("add")).toReversed());
    expect(definitionHash(moved)).toBe(definitionHash(tool("add")));
    expect(definitionHash(reversed as unknown as ToolDefinition)).toBe(definitionHash(tool("add")));
    expect(definitionHash(tool("add", { cost: undefined }))).toBe(definitionHash(tool("add")));
  });
});

describe("canonical JSON", () => {
  it("sorts the keys of objects at every depth and leaves the order of arrays", () => {
    expect(canonicalJson({ b: [{ d: 1, c: null }, 2], a: undefined, A: "x" })).toBe(
      '{"A":"x","b":[{"c":null,"d":1},2]}',
    );
  });
});
