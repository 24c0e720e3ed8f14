import { describe, expect, it } from "vitest";
import { wilsonInterval } from "../../../eval/statistics/descriptive.js";

describe("the interval of a share", () => {
  it.each([
    [0, 60, 0, 0.06],
    [2, 2, 0.34, 1],
    [0, 1, 0, 0.79],
    [13, 20, 0.43, 0.82],
  ])("of %d in %d tasks is %d to %d", (right, of, low, high) => {
    const interval = wilsonInterval(Array.from({ length: of }, (_, at) => [Number(at < right)]));
    expect(interval.low).toBeCloseTo(low, 2);
    expect(interval.high).toBeCloseTo(high, 2);
  });

  it("counts tasks: repetitions of a task add nothing", () => {
    const once = [[0], [1], [1]];
    const fivefold = once.map(([value = 0]) => Array.from({ length: 5 }, () => value));
    expect(wilsonInterval(fivefold)).toStrictEqual(wilsonInterval(once));
  });

  it("leaves out tasks without a value, and is NaN without any", () => {
    expect(wilsonInterval([[], [1], []])).toStrictEqual(wilsonInterval([[1]]));
    expect(wilsonInterval([[]])).toStrictEqual({ low: Number.NaN, high: Number.NaN });
  });
});
