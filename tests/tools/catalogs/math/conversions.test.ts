import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  convertCelsiusToFahrenheit,
  convertFahrenheitToCelsius,
  degreesToRadians,
  radiansToDegrees,
} from "../../../../tools/catalogs/math/conversions.js";

const value = fc.double({ min: -270, max: 1e6, noNaN: true });

describe("angles", () => {
  it("convert between degrees and radians", () => {
    expect(degreesToRadians(180)).toBe(Math.PI);
    expect(degreesToRadians(90)).toBe(Math.PI / 2);
    expect(radiansToDegrees(Math.PI)).toBe(180);
    expect(radiansToDegrees(-Math.PI / 2)).toBe(-90);
  });

  it("come back from a round trip", () => {
    fc.assert(
      fc.property(value, (degrees) => {
        expect(radiansToDegrees(degreesToRadians(degrees))).toBeCloseTo(degrees, 8);
      }),
    );
  });
});

describe("temperatures", () => {
  it.each([
    { celsius: 0, fahrenheit: 32 },
    { celsius: 15, fahrenheit: 59 },
    { celsius: 100, fahrenheit: 212 },
    { celsius: -40, fahrenheit: -40 },
  ])("of $celsius °C and $fahrenheit °F are the same", ({ celsius, fahrenheit }) => {
    expect(convertCelsiusToFahrenheit(celsius)).toBe(fahrenheit);
    expect(convertFahrenheitToCelsius(fahrenheit)).toBe(celsius);
  });

  it("come back from a round trip", () => {
    fc.assert(
      fc.property(value, (celsius) => {
        const fahrenheit = convertCelsiusToFahrenheit(celsius);
        expect(convertFahrenheitToCelsius(fahrenheit)).toBeCloseTo(celsius, 8);
      }),
    );
  });

  it("reach down to absolute zero and no further", () => {
    expect(convertCelsiusToFahrenheit(-273.15)).toBeCloseTo(-459.67, 10);
    expect(convertFahrenheitToCelsius(-459.67)).toBeCloseTo(-273.15, 10);
    expect(() => convertCelsiusToFahrenheit(-273.16)).toThrow(
      "celsius must not be below absolute zero (-273.15); got -273.16",
    );
    expect(() => convertFahrenheitToCelsius(-460)).toThrow("absolute zero (-459.67); got -460");
  });
});
