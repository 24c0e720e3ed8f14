import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chanceOf } from "../../../eval/generation/chance.js";
import { canBeLiteral, drawLiteral, type Fact } from "../../../eval/generation/drawLiteral.js";
import { factsIn } from "../../../eval/generation/nodes/worldFacts.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

const FACTS: Fact[] = [
  { value: "TASK-1", topics: ["work", "item"] },
  { value: "TKT-2", topics: ["work", "item"] },
  { value: "DEVU-3", topics: ["user"] },
  { value: "Acme", topics: ["name"] },
  { value: "2025-02-01", topics: ["created"] },
];

/** The values drawn for an argument with many seeds. */
function drawn(name: string, schema: JsonSchema, facts = FACTS): unknown[] {
  const type = { schema, root: schema };
  const values = Array.from({ length: 60 }, (_, seed) =>
    drawLiteral({ name, type, facts, chance: chanceOf(seed) }),
  );
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

describe("a value that is drawn", () => {
  it("is one of the listed values, but not the default.", () => {
    const schema = { type: "string", enum: ["low", "mid", "high"], default: "low" };
    expect(new Set(drawn("level", schema))).toEqual(new Set(["high", "mid"]));
    expect(drawn("flag", { type: "boolean", default: false })).toEqual([true]);
  });

  it("is a fact about the same thing.", () => {
    const work = { type: "string", description: "Id of the work item" };
    expect(new Set(drawn("work_id", work))).toEqual(new Set(["TASK-1", "TKT-2"]));
    expect(drawn("query", { type: "string", description: "Name, or words of it" })).toEqual([
      "Acme",
    ]);
  });

  it("has the form shown in a description.", () => {
    const ticket = { type: "string", description: 'Id of the work item, such as "TKT-8"' };
    expect(drawn("ticket_id", ticket)).toEqual(["TKT-2"]);
    expect(drawn("day", { type: "string", description: "The day, as YYYY-MM-DD" })).toEqual([
      "2025-02-01",
    ]);
    expect(drawn("ticket_id", ticket, [])).toEqual(["TKT-8"]);
  });

  it("fills lists without repetition, and the required fields of objects.", () => {
    const items = { type: "array", items: { type: "string" }, description: "Ids of users" };
    expect(drawn("user_ids", items)).toEqual([["DEVU-3"]]);
    const point = {
      type: "object",
      properties: { x: { type: "integer" }, note: { type: "string" } },
      required: ["x"],
    };
    for (const value of drawn("point", point)) {
      expect(value).toEqual({ x: expect.any(Number) });
    }
  });

  it("lies within the bounds of the schema and of the description.", () => {
    const bounds = fc.record({
      least: fc.integer({ min: -50, max: 500 }),
      width: fc.integer({ min: 0, max: 500 }),
      isSaid: fc.boolean(),
    });
    const property = fc.property(bounds, fc.nat(), ({ least, width, isSaid }, seed) => {
      const most = least + width;
      const schema = isSaid
        ? { type: "number", description: `a number from ${least} to ${most}` }
        : { type: "number", minimum: least, maximum: most };
      const type = { schema, root: schema };
      const value = drawLiteral({ name: "n", type, facts: [], chance: chanceOf(seed) });
      expect(value).toBeGreaterThanOrEqual(least);
      expect(value).toBeLessThanOrEqual(most);
    });
    fc.assert(property);
  });
});

it("cannot be drawn if anything is allowed.", () => {
  const schemas: JsonSchema[] = [
    {},
    { type: "array", items: {} },
    { type: "array", items: { type: "string" } },
  ];
  const can = schemas.map((schema) => canBeLiteral({ schema, root: schema }));
  expect(can).toEqual([false, false, true]);
});

it("finds the texts of a result as facts about the names of their fields.", () => {
  const returns = { type: "object", description: "the customer" };
  const result = { id: "REV-1", name: "Acme", since: 2020, notes: "x".repeat(100) };
  expect(factsIn({ name: "get_customer", returns }, result)).toEqual([
    { value: "REV-1", topics: ["customer"] },
    { value: "Acme", topics: ["name"] },
  ]);
});
