import { describe, expect, it } from "vitest";
import {
  formatBeside,
  formatDifference,
  formatFigure,
  formatP,
  NO_FIGURE,
} from "../../../eval/report/figureText.js";

describe("figures", () => {
  it.each([
    [0.8567, "share", "0.86"],
    [0, "usd", "$0"],
    [0.0000123456, "usd", "$0.0000123"],
    [0.0042, "usd", "$0.00420"],
    [3.5, "usd", "$3.50"],
    [1234.5, "usd", "$1,235"],
    [12_345.6, "tokens", "12,346"],
    [3, "count", "3"],
    [1.375, "count", "1.38"],
    [940.4, "ms", "940 ms"],
    [1540, "ms", "1.5 s"],
    [90_000, "ms", "1.5 min"],
    [Number.NaN, "share", NO_FIGURE],
  ] as const)("show %d of the unit %s as %s", (value, unit, shown) => {
    expect(formatFigure(value, unit)).toBe(shown);
  });

  it("have as many decimals as the amount next to them", () => {
    expect(formatBeside(0.0000755, "usd", 0.00377)).toBe("$0.00008");
    expect(formatBeside(0, "usd", 0)).toBe("$0");
  });
});

describe("differences", () => {
  it("show their sign, unless they round to zero", () => {
    expect(formatDifference(0.126, "share")).toBe("+0.13");
    expect(formatDifference(-12, "tokens")).toBe("−12");
    expect(formatDifference(-0.0001, "share")).toBe("0.00");
  });
});

describe("p-values", () => {
  it("are never rounded to zero", () => {
    expect([1, 0.04999, 0.0004, 0].map(formatP)).toEqual(["1", "0.050", "<0.001", "<0.001"]);
  });
});
