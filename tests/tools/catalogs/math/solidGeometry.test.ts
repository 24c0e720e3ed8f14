import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaCircle, circumferenceCircle } from "../../../../tools/catalogs/math/circles.js";
import * as solids from "../../../../tools/catalogs/math/solidGeometry.js";

const size = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

describe("solids", () => {
  it.each([
    { what: "volume of a cube of side 6", got: solids.volumeCube(6), expected: 216 },
    { what: "surface of a cube of side 4", got: solids.surfaceAreaCube(4), expected: 96 },
    { what: "volume of a sphere", got: solids.volumeSphere(6), expected: 904.7786842338604 },
    { what: "surface of a sphere", got: solids.surfaceAreaSphere(10), expected: 400 * Math.PI },
    { what: "volume of a cylinder", got: solids.volumeCylinder(5, 10), expected: 250 * Math.PI },
    {
      what: "surface of a closed cylinder",
      got: solids.surfaceAreaOfCylinder(4, 10),
      expected: 112 * Math.PI,
    },
    { what: "volume of a cone", got: solids.volumeCone(3, 5), expected: 15 * Math.PI },
    { what: "volume of a prism", got: solids.volumeOfPrism(25, 8), expected: 200 },
    { what: "surface of a prism", got: solids.surfaceAreaOfPrism(20, 25, 8), expected: 210 },
    { what: "volume of a pyramid", got: solids.volumeOfPyramid(24, 9), expected: 72 },
    { what: "surface of a pyramid", got: solids.surfaceAreaOfPyramid(36, 60), expected: 96 },
    { what: "volume of a torus", got: solids.volumeOfTorus(3, 1), expected: 6 * Math.PI ** 2 },
    {
      what: "surface of a torus",
      got: solids.surfaceAreaOfTorus(3, 1),
      expected: 12 * Math.PI ** 2,
    },
  ])("have a known $what", ({ got, expected }) => {
    expect(got).toBeCloseTo(expected, 10);
  });

  it("make a cube and a cylinder prisms, and a cone a pyramid", () => {
    fc.assert(
      fc.property(size, size, (radius, height) => {
        const base = areaCircle(radius);
        const around = circumferenceCircle(radius);
        expect(solids.volumeCube(radius) / solids.volumeOfPrism(radius ** 2, radius)).toBeCloseTo(
          1,
          12,
        );
        expect(
          solids.surfaceAreaCube(radius) /
            solids.surfaceAreaOfPrism(4 * radius, radius ** 2, radius),
        ).toBeCloseTo(1, 12);
        expect(
          solids.volumeCylinder(radius, height) / solids.volumeOfPrism(base, height),
        ).toBeCloseTo(1, 12);
        expect(
          solids.surfaceAreaOfCylinder(radius, height) /
            solids.surfaceAreaOfPrism(around, base, height),
        ).toBeCloseTo(1, 12);
        expect(
          solids.volumeCone(radius, height) / solids.volumeOfPyramid(base, height),
        ).toBeCloseTo(1, 12);
      }),
    );
  });

  it("give a sphere two thirds of its cylinder, in volume and in surface (Archimedes)", () => {
    fc.assert(
      fc.property(size, (radius) => {
        const volume = solids.volumeCylinder(radius, 2 * radius);
        const surface = solids.surfaceAreaOfCylinder(radius, 2 * radius);
        expect(solids.volumeSphere(radius) / ((volume * 2) / 3)).toBeCloseTo(1, 12);
        expect(solids.surfaceAreaSphere(radius) / ((surface * 2) / 3)).toBeCloseTo(1, 12);
      }),
    );
  });

  it("give a torus the volume and surface of a tube along its middle circle (Pappus)", () => {
    fc.assert(
      fc.property(size, fc.double({ min: 0.01, max: 1, noNaN: true }), (major, share) => {
        const minor = major * share;
        const way = circumferenceCircle(major);
        expect(solids.volumeOfTorus(major, minor) / (areaCircle(minor) * way)).toBeCloseTo(1, 12);
        expect(
          solids.surfaceAreaOfTorus(major, minor) / (circumferenceCircle(minor) * way),
        ).toBeCloseTo(1, 12);
      }),
    );
  });

  it.each([
    { name: "side_length", run: () => solids.volumeCube(-1) },
    { name: "side_length", run: () => solids.surfaceAreaCube(-1) },
    { name: "radius", run: () => solids.volumeSphere(-1) },
    { name: "radius", run: () => solids.surfaceAreaSphere(-1) },
    { name: "height", run: () => solids.volumeCylinder(1, -1) },
    { name: "height", run: () => solids.surfaceAreaOfCylinder(1, -1) },
    { name: "radius", run: () => solids.volumeCone(-1, 1) },
    { name: "base_area", run: () => solids.volumeOfPrism(-1, 1) },
    { name: "base_perimeter", run: () => solids.surfaceAreaOfPrism(-1, 1, 1) },
    { name: "height", run: () => solids.volumeOfPyramid(1, -1) },
    { name: "lateral_area", run: () => solids.surfaceAreaOfPyramid(1, -1) },
    { name: "minor_radius", run: () => solids.volumeOfTorus(1, -1) },
    { name: "major_radius", run: () => solids.surfaceAreaOfTorus(-1, 1) },
  ])("refuse a negative $name", ({ name, run }) => {
    expect(run).toThrow(`${name} must be 0 or more; got -1`);
  });

  it("refuse a torus whose tube would overlap itself", () => {
    const message = "minor_radius must be at most the major_radius (1); got 2";
    expect(() => solids.volumeOfTorus(1, 2)).toThrow(message);
    expect(() => solids.surfaceAreaOfTorus(1, 2)).toThrow(message);
  });
});
