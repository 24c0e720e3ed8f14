import { describe, expect, it } from "vitest";
import { backgroundOf } from "../../../nodes/shared/background.js";
import { parseContext } from "../../../state/context.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";

describe("what a model is told about the situation", () => {
  it("is what the run says", () => {
    const context = parseContext({ library: "office", background: "It rains." });
    expect(backgroundOf(context)).toBe("It rains.");
  });

  it("is what the catalogue's world needs where the run says nothing", () => {
    expect(backgroundOf(parseContext({ library: "office" }))).toBe(CATALOGS["office"]?.background);
  });

  it("is nothing for other libraries, whatever their names", () => {
    expect(backgroundOf(parseContext({ library: "math" }))).toBeUndefined();
    expect(backgroundOf(parseContext({ library: "constructor" }))).toBeUndefined();
  });
});
