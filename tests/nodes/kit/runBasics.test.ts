import { describe, expect, it } from "vitest";
import { backgroundOf, todayOf } from "../../../nodes/kit/runBasics.js";
import { parseSettings } from "../../../state/settings.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";

describe("what a model is told about the situation", () => {
  it("is what the run says", () => {
    const settings = parseSettings({ library: "work", background: "It rains." });
    expect(backgroundOf(settings)).toBe("It rains.");
  });

  it("is what the catalog's world needs if the run says nothing", () => {
    expect(backgroundOf(parseSettings({ library: "work" }))).toBe(CATALOGS["work"]?.background);
  });

  it("is nothing for other libraries, whatever their names", () => {
    expect(backgroundOf(parseSettings({ library: "math" }))).toBeUndefined();
    expect(backgroundOf(parseSettings({ library: "constructor" }))).toBeUndefined();
  });
});

it.each([
  [{ library: "work" }, "2025-03-12"],
  [{ background: "It is Tuesday, 5 May 2026, and rains." }, "2026-05-05"],
  [{ background: "Nothing happens before 24 December." }, new Date().toISOString().slice(0, 10)],
  [{}, new Date().toISOString().slice(0, 10)],
])("takes the day of a run from its background, else from the machine: %j", (settings, day) => {
  expect(todayOf(parseSettings(settings))).toBe(day);
});
