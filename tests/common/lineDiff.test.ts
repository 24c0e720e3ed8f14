import * as fc from "fast-check";
import { expect, it } from "vitest";
import { lineDiff } from "../../common/lineDiff.js";

function diff(from: string, to: string): string[] {
  const text = lineDiff({ label: "a", text: from }, { label: "b", text: to });
  return text === "" ? [] : text.split("\n").slice(2);
}

/** Texts of few different lines, so that many are alike, some of which look like a diff themselves. */
const texts = fc
  .array(fc.constantFrom("", "one", "two", "three", "-four", "+five"), { maxLength: 30 })
  .map((lines) => lines.join("\n"));

it("a diff holds both texts", () => {
  expect.hasAssertions();
  fc.assert(
    fc.property(texts, texts, (from, to) => {
      const without = (sign: string) =>
        diff(from, to)
          .filter((line) => !line.startsWith(sign))
          .map((line) => line.slice(1))
          .join("\n");
      fc.pre(from !== to);
      expect([without("+"), without("-")]).toEqual([from, to]);
    }),
    { numRuns: 300 },
  );
});

it("a diff changes no more lines than it must", () => {
  const base = Array.from({ length: 20 }, (_, at) => `line ${at % 4}`);
  const changed = diff(base.join("\n"), base.toSpliced(10, 0, "new").join("\n"));
  expect(changed.filter((line) => !line.startsWith(" "))).toEqual(["+new"]);
});
