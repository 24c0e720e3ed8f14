import { describe, expect, it } from "vitest";
import type { PlanValue } from "../../../plans/steps/plan.js";
import { plainObjects } from "../../../plans/steps/readPlan.js";
import { output } from "./planTools.js";

function fields(...entries: [field_name: string, field_value: PlanValue][]): PlanValue {
  return {
    object_fields: entries.map(([field_name, field_value]) => ({ field_name, field_value })),
  };
}

describe("objects that are written field by field", () => {
  it("are written out, at any depth, with the references in them", () => {
    const value = [fields(["a", fields(["b", output(0, "id")])], ["c", [fields()]])];
    expect(plainObjects(value)).toEqual([{ a: { b: output(0, "id") }, c: [{}] }]);
  });

  it.each<PlanValue>([
    { a: 1 },
    { object_fields: [{ field_name: "a", field_value: 1 }], more: 2 },
    { object_fields: [{ field_name: "a" }] },
    { object_fields: "none" },
    output(2, "object_fields"),
    { $text: ["a ", { $prev: 0, path: [] }] },
    "text",
    null,
  ])("are told from all other data: %j", (value) => {
    expect(plainObjects(value)).toEqual(value);
  });
});
