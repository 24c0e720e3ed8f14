import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PlacedLabel, placeLabels } from "../../../../eval/report/charts/placeLabels.js";
import { textWidth } from "../../../../eval/report/charts/theme.js";

const plane = { width: 400, height: 300 };
const points = fc.array(
  fc.record({
    x: fc.integer({ min: 0, max: plane.width }),
    y: fc.integer({ min: 0, max: plane.height }),
    label: fc.string({ minLength: 1, maxLength: 20 }),
  }),
  { maxLength: 15 },
);

describe("labels", () => {
  it("stand at the right of a point that is alone", () => {
    const [place] = placeLabels({ points: [{ x: 50, y: 60, label: "base" }], lines: [], ...plane });
    expect(place).toEqual({ anchor: 58, align: "left", middle: 60, isFar: false });
  });

  it("stand at the left of a point at the right edge", () => {
    const [place] = placeLabels({
      points: [{ x: 395, y: 60, label: "base" }],
      lines: [],
      ...plane,
    });
    expect(place).toMatchObject({ anchor: 387, align: "right" });
  });

  it("give way to a line", () => {
    const line = { left: 50, right: 400, top: 59, bottom: 61 };
    const [place] = placeLabels({
      points: [{ x: 50, y: 60, label: "base" }],
      lines: [line],
      ...plane,
    });
    expect(place).toMatchObject({ align: "right", middle: 60 });
  });

  it("are left out if there is no room for them", () => {
    const label = "a name that is longer than the plane is wide";
    expect(
      placeLabels({ points: [{ x: 5, y: 5, label }], lines: [], width: 60, height: 60 }),
    ).toEqual([undefined]);
  });

  it("never cover one another and never leave the plane", () => {
    fc.assert(
      fc.property(points, (all) => {
        const boxes = placeLabels({ points: all, lines: [], ...plane }).flatMap((place, index) =>
          place ? [boxOf(place, textWidth(all[index]?.label ?? ""))] : [],
        );
        for (const [index, box] of boxes.entries()) {
          expect(box.left).toBeGreaterThanOrEqual(-0.01);
          expect(box.right).toBeLessThanOrEqual(plane.width + 0.01);
          const covered = boxes.filter(
            (other, place) =>
              place !== index &&
              other.left < box.right - 0.01 &&
              box.left < other.right - 0.01 &&
              Math.abs(other.middle - box.middle) < 12.99,
          );
          expect(covered).toEqual([]);
        }
      }),
    );
  });
});

function boxOf({ anchor, align, middle }: PlacedLabel, width: number) {
  const left = { left: anchor, center: anchor - width / 2, right: anchor - width }[align];
  return { left, right: left + width, middle };
}
