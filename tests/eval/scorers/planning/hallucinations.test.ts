import { describe, expect, it } from "vitest";
import { hallucinationRate, valueOrigins } from "../../../../eval/scorers/hallucinations.js";
import type { Scored, ToolShape } from "../../../../eval/scorers/scorer.js";
import { callOf, runOf, taskOf } from "../support.js";

const WORKS_LIST: ToolShape = {
  id: "work:works_list",
  name: "works_list",
  description: "Lists work items; owned_by takes 'me' for the current user.",
  parameters: {
    type: "object",
    properties: {
      issue_priority: { type: "array", items: { type: "string", enum: ["p0", "p1", "p2"] } },
      owned_by: { type: "array", items: { type: "string" } },
      limit: { type: "integer", description: "At most so many", default: 50 },
    },
  },
};

const SUMMARISE: ToolShape = {
  id: "summarize_objects",
  name: "summarize_objects",
  description: "Sums up objects.",
  parameters: { type: "object", properties: { objects: { type: "array" } } },
};

const OPEN: ToolShape = {
  id: "store",
  name: "store",
  description: "Keeps fields of any name.",
  parameters: { type: "object", properties: {}, additionalProperties: { type: "string" } },
};

const TOOLS = [WORKS_LIST, SUMMARISE, OPEN];

function originsOf(
  calls: Parameters<typeof valueOrigins>[0]["calls"],
  query = "Sum up Dave's open work",
) {
  return valueOrigins({ texts: [query], calls, tools: TOOLS });
}

function refer(objects: unknown) {
  return callOf("summarize_objects", { objects });
}

describe("the source of an argument value", () => {
  it("is the request, or the schema and the description of the tool", () => {
    const args = { issue_priority: ["p1"], owned_by: ["Dave"], limit: 50 };
    expect(originsOf([callOf("works_list", args)])).toStrictEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(originsOf([callOf("work:works_list", { owned_by: ["me"] })])).toStrictEqual([undefined]);
  });

  it("is the result of an earlier call, or what it said when it failed, but not that of a later one", () => {
    const listed = { ...callOf("works_list"), result: [{ id: "TASK-12" }] };
    const summed = callOf("summarize_objects", { objects: [{ id: "TASK-12" }] });
    expect(originsOf([listed, summed])).toStrictEqual([undefined]);
    expect(originsOf([summed, listed])).toStrictEqual(["value"]);
    const failed = callOf("works_list", {}, "only DEVU-7 may do that");
    expect(originsOf([failed, callOf("works_list", { owned_by: ["DEVU-7"] })])).toStrictEqual([
      undefined,
    ]);
  });

  it("is missing for a literal that appears nowhere", () => {
    const args = { owned_by: ["DEVU-123"], limit: 17 };
    expect(originsOf([callOf("works_list", args)])).toStrictEqual(["value", "value"]);
  });

  it("is missing for an unknown argument, whatever its value", () => {
    expect(originsOf([callOf("works_list", { owner: "Dave", toString: "Dave" })])).toStrictEqual([
      "argument",
      "argument",
    ]);
    expect(originsOf([callOf("store", { owner: "Dave", team: "sales" })])).toStrictEqual([
      undefined,
      "value",
    ]);
  });

  it("is missing in a call of an unknown tool, which counts even without arguments", () => {
    expect(originsOf([callOf("works", { owned_by: "Dave", limit: 50 })])).toStrictEqual([
      "tool",
      "tool",
    ]);
    expect(originsOf([callOf("works", {}, "unknown")])).toStrictEqual(["tool"]);
    expect(originsOf([callOf("works_list")])).toStrictEqual([]);
  });

  it("is found as usual in a call of a tool that was made during the run", () => {
    const made = { ...callOf("made_up", { who: "Dave", limit: 17 }), isMade: true };
    expect(originsOf([made])).toStrictEqual([undefined, "value"]);
  });

  it("is an earlier step for a reference, and missing if it is the step itself or a later one", () => {
    const references = [
      "$$PREV[0]",
      ["$$PREV[0].works[2].id"],
      { $prev: 0, path: ["works"] },
      { $text: ["Dave: ", { $prev: 0, path: [] }] },
    ];
    for (const reference of references) {
      expect(originsOf([callOf("works_list"), refer(reference)])).toStrictEqual([undefined]);
      expect(originsOf([refer(reference)])).toStrictEqual(["reference"]);
    }
    expect(originsOf([callOf("works_list"), refer(["$$PREV[0]", "$$PREV[1]"])])).toStrictEqual([
      "reference",
    ]);
  });

  it("is required for literals next to references, too", () => {
    const mixed = { objects: ["$$PREV[0]", "TASK-99"] };
    expect(originsOf([callOf("works_list"), callOf("summarize_objects", mixed)])).toStrictEqual([
      "value",
    ]);
  });
});

function scoreOf(parts: Partial<Scored>): number | undefined {
  const benchmark = { argumentRule: "equal" } as const;
  return hallucinationRate({ task: taskOf(), run: runOf(), benchmark, ...parts });
}

describe("the rate of hallucinations", () => {
  it("is the share of values without a source", () => {
    const calls = [
      callOf("search_tools", { action_descriptions: ["invented"] }),
      callOf("works_list", { owned_by: ["Dave"], limit: 50 }),
      { ...callOf("works", { a: 1, b: 2 }, "there is no such tool"), refused: true },
      callOf("made_up", {}),
      callOf("works_list", { owner: "Dave", limit: 17, issue_priority: ["p0"] }),
      callOf("summarize_objects", { objects: "$$PREV[4]" }),
    ];
    const run = runOf({ calls });
    const task = taskOf({ query: "Sum up Dave's open work" });
    // Of 8 values: 2 for an unknown tool, 1 argument, 1 reference to itself, 1 number from nowhere.
    expect(scoreOf({ run, task, tools: TOOLS })).toBe(5 / 8);
  });

  it("treats the date that the model was told as known", () => {
    const settings = { background: "Today is 30 November 2023." };
    const calls = [callOf("works_list", { owned_by: ["2023-11-30"] })];
    expect(scoreOf({ run: runOf({ calls, settings }), tools: TOOLS })).toBe(0);
    expect(scoreOf({ run: runOf({ calls }), tools: TOOLS })).toBe(1);
  });

  it("is 0 for a run without a call, and unknown if the tools are unknown", () => {
    expect(scoreOf({ tools: TOOLS })).toBe(0);
    expect(scoreOf({ run: runOf({ calls: [callOf("works")] }) })).toBeUndefined();
  });
});
