import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { unifiedDiff } from "../../../cli/printing/lineDiff.js";

function diff(from: string, to: string): string {
  return unifiedDiff({ from: { label: "a", text: from }, to: { label: "b", text: to } });
}

/** Applies a unified diff strictly: every kept or removed line has to be where the diff says. */
function apply(text: string, patch: string): string {
  const lines = text.split("\n");
  const result: string[] = [];
  let at = 0;
  for (const line of patch === "" ? [] : patch.split("\n").slice(2)) {
    const start = /^@@ -(\d+),\d+ \+(\d+),\d+ @@$/.exec(line);
    if (start) {
      while (at < Number(start[1]) - 1) result.push(lines[at++] ?? "");
      if (result.length !== Number(start[2]) - 1) throw new Error(`wrong place: ${line}`);
    } else if (line.startsWith("+")) {
      result.push(line.slice(1));
    } else {
      if (lines[at] !== line.slice(1)) throw new Error(`no such line: ${line}`);
      if (line.startsWith(" ")) result.push(line.slice(1));
      at += 1;
    }
  }
  return [...result, ...lines.slice(at)].join("\n");
}

/** Texts of few different lines, so that many are alike, some of which look like a diff themselves. */
const texts = fc
  .array(fc.constantFrom("", "one", "two", "three", "-four", "+five", "@@ -1,1 +1,1 @@"), {
    maxLength: 30,
  })
  .map((lines) => lines.join("\n"));

describe("a diff", () => {
  it("turns one text into the other when it is applied", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(texts, texts, (from, to) => {
        expect(apply(from, diff(from, to))).toBe(to);
      }),
      { numRuns: 300 },
    );
  });

  it("has as many lines in each hunk as its header says", () => {
    expect.hasAssertions();
    fc.assert(
      fc.property(texts, texts, (from, to) => {
        for (const hunk of hunksOf(diff(from, to))) {
          const [, before, after] = /^@@ -\d+,(\d+) \+\d+,(\d+) @@$/.exec(hunk[0] ?? "") ?? [];
          expect(hunk.filter((line) => /^[- ]/.test(line))).toHaveLength(Number(before));
          expect(hunk.filter((line) => /^[+ ]/.test(line))).toHaveLength(Number(after));
        }
      }),
    );
  });

  it("changes no more lines than it must: a line that is added costs one", () => {
    const base = Array.from({ length: 20 }, (_, at) => `line ${at % 4}`);
    const longer = base.toSpliced(10, 0, "new");
    const changed = diff(base.join("\n"), longer.join("\n"))
      .split("\n")
      .filter((line) => /^[-+](?![-+])/.test(line));
    expect(changed).toEqual(["+new"]);
  });

  it("shows three lines around a change, and hunks of their own for changes far apart", () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${at + 1}`);
    const after = lines.with(1, "second").with(15, "sixteenth");
    expect(diff(lines.join("\n"), after.join("\n"))).toBe(
      [
        "--- a\n+++ b\n@@ -1,5 +1,5 @@\n 1\n-2\n+second\n 3\n 4\n 5",
        "@@ -13,7 +13,7 @@\n 13\n 14\n 15\n-16\n+sixteenth\n 17\n 18\n 19",
      ].join("\n"),
    );
  });

  it("is empty for equal texts", () => {
    expect(diff("a\nb", "a\nb")).toBe("");
  });
});

function hunksOf(patch: string): string[][] {
  const hunks: string[][] = [];
  for (const line of patch.split("\n").slice(2)) {
    if (/^@@ -\d/.test(line)) hunks.push([line]);
    else hunks.at(-1)?.push(line);
  }
  return hunks;
}
