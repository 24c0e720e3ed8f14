import { describe, expect, it } from "vitest";
import { pricesOf } from "../../../state/budget/prices.js";
import { InvalidSetting } from "../../../common/errors.js";

describe("the price of a call", () => {
  it("is what the tool declares, else one unit", () => {
    const tools = [{ id: "weather", cost: 2.5 }, { id: "free", cost: 0 }, { id: "undeclared" }];
    expect(pricesOf(tools)).toEqual({ weather: 2.5, free: 0, undeclared: 1 });
  });

  it.each([-1, NaN, Infinity])("is refused where the declared cost is %d", (cost) => {
    const price = (): unknown => pricesOf([{ id: "weather", cost }]);
    expect(price).toThrow(InvalidSetting);
    expect(price).toThrow(`cost of tool "weather": ${cost} is not an amount`);
  });
});
