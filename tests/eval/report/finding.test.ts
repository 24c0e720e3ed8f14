import { describe, expect, it } from "vitest";
import { changeFound, findingOf } from "../../../eval/report/finding.js";
import { comparison } from "../../../eval/summary/compare.js";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import { syntheticSummary } from "./fixture.js";

const pair = { graphs: ["base", "cot_tulip"] };

/** Two graphs with this result of their test. */
function tested(outcome: { p: number; differing: number }): Summary {
  const summary = syntheticSummary(pair);
  return { ...summary, tests: summary.tests.map((test) => ({ ...test, ...outcome })) };
}

describe("the first sentence of a report", () => {
  it("names the best and the next, and says whether their difference is noise", () => {
    expect(findingOf(tested({ p: 0.3, differing: 9 }))).toMatch(
      /^cot_tulip is right in 1\.00 of its runs \(Correct \(numbers\), 15 tasks\), more than base: the difference of \+0\.\d\d is within noise \(p 0\.300, 9 of 15 tasks differ\)\.$/,
    );
    expect(findingOf(tested({ p: 0.001, differing: 9 }))).toContain("is beyond noise (p 0.001");
  });

  it("says how far a single graph may be from what was found", () => {
    expect(findingOf(syntheticSummary({ graphs: ["base"] }))).toMatch(
      /^base is right in 0\.\d\d of its runs .*nothing else was run beside it.*from 0\.\d\d to 0\.\d\d\.$/,
    );
  });

  it("says that nothing was found if no run has a result", () => {
    const empty = { ...syntheticSummary(), rows: [], runs: [], tests: [] };
    expect(findingOf(empty)).toMatch(/^No run has a result yet/);
  });
});

describe("the first sentence of a comparison", () => {
  it("says that nothing changed beyond noise, and how much at most", () => {
    const same = syntheticSummary(pair);
    expect(changeFound(comparison({ a: same, b: same }))).toMatch(
      /^From A to B nothing changed beyond noise: Correct \(numbers\) differs by 0\.00 at most/,
    );
  });

  it("names what is better or worse beyond noise", () => {
    const a = syntheticSummary({ graphs: ["base", "cot_tool"] });
    const b = syntheticSummary({ graphs: ["base", "cot_tulip"], right: 1, tasksPerLevel: 4 });
    expect(changeFound(comparison({ a, b }))).toMatch(
      /^From A to B, by Correct \(numbers\), base is better \(\+0\.\d\d, p [<\d.]+\), beyond noise/,
    );
  });
});
