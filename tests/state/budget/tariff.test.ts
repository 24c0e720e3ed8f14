import { describe, expect, it } from "vitest";
import { UNDECLARED_COST, tariff } from "../../../state/budget/tariff.js";
import { InvalidSetting } from "../../../common/errors.js";

const measures = [{ tool: "weather", meanMs: 1500, meanResultTokens: 700 }];

describe("the price of a call", () => {
  it("is what the tool declares, whatever was measured", () => {
    const tools = [{ id: "weather", cost: 2.5, schemaTokens: 300 }];
    expect(tariff({ tools, measures, pricing: "declared" })).toEqual({ weather: 2.5 });
  });

  it("is one unit if nothing is declared, and nothing if 0 is", () => {
    const tools = [
      { id: "undeclared", schemaTokens: 300 },
      { id: "free", cost: 0, schemaTokens: 300 },
    ];
    expect(UNDECLARED_COST).toBe(1);
    expect(tariff({ tools, measures, pricing: "declared" })).toEqual({ undeclared: 1, free: 0 });
  });

  it("has a unit for each thousand tokens and each second when it is measured", () => {
    const tools = [{ id: "weather", cost: 2, schemaTokens: 300 }];
    const { weather } = tariff({ tools, measures, pricing: "measured" });
    expect(weather).toBeCloseTo(2 + 1 + 1.5, 12);
  });

  it.each([-1, NaN, Infinity])("is refused where the declared cost is %d", (cost) => {
    const price = (): unknown =>
      tariff({ tools: [{ id: "weather", cost, schemaTokens: 1 }], measures, pricing: "declared" });
    expect(price).toThrow(InvalidSetting);
    expect(price).toThrow(`cost of tool "weather": ${cost} is not an amount`);
  });

  it.each([
    [{ meanMs: NaN }, "measured milliseconds"],
    [{ meanResultTokens: -2 }, "measured tokens of results"],
  ])("is refused where a measure is %o", (wrong, name) => {
    const tools = [{ id: "weather", schemaTokens: 1 }];
    const [measure] = measures.map((one) => ({ ...one, ...wrong }));
    expect(() =>
      tariff({ tools, measures: measure ? [measure] : [], pricing: "measured" }),
    ).toThrow(`${name} of tool "weather"`);
  });
});
