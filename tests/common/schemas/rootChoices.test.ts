import { describe, expect, it } from "vitest";
import { withRootProperties, withoutRootChoices } from "../../../common/schemas/rootChoices.js";

const TEXT = { type: "string" };
const COUNT = { type: "integer" };

describe("the properties of a schema's parts", () => {
  it("include those of a reference and of all parts of allOf, required if they are there", () => {
    const $defs = { place: { type: "object", properties: { city: TEXT }, required: ["city"] } };
    const all = { allOf: [{ properties: { days: COUNT } }] };
    const whole = withRootProperties({
      $ref: "#/$defs/place",
      $defs,
      ...all,
      properties: { a: {} },
    });
    expect(whole).toMatchObject({
      properties: { a: {}, city: TEXT, days: COUNT },
      required: ["city"],
      ...all,
      $defs,
    });
  });

  it("include those of each choice, none of them required, with all their possible types", () => {
    const oneOf = [
      { properties: { id: COUNT }, required: ["id"] },
      { properties: { id: TEXT, name: TEXT }, required: ["name"] },
    ];
    const whole = withRootProperties({ type: "object", oneOf, required: ["id"] });
    expect(whole["properties"]).toEqual({ id: { anyOf: [COUNT, TEXT] }, name: TEXT });
    expect(whole["required"]).toEqual(["id"]);
  });

  it("end where a schema refers to itself", () => {
    const again = Array.from({ length: 50 }, () => ({ $ref: "#" }));
    const schema = { $ref: "#", allOf: again, anyOf: again, properties: { a: TEXT } };
    expect(withRootProperties(schema)["properties"]).toEqual({ a: TEXT });
  });
});

describe("a schema as providers accept it", () => {
  it("has no choices between whole objects, and keeps those inside", () => {
    const inside = { properties: { a: { anyOf: [TEXT, COUNT] } }, type: "object" };
    expect(withoutRootChoices({ ...inside, anyOf: [{ required: ["a"] }], not: {} })).toEqual(
      inside,
    );
    expect(withoutRootChoices(inside)).toBe(inside);
  });
});
