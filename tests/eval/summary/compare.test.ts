import { describe, expect, it } from "vitest";
import { InvalidSetting } from "../../../common/errors.js";
import { comparison } from "../../../eval/summary/compare.js";
import type { Summary } from "../../../eval/summary/summarizeRuns.js";
import { judgedRun, summaryOf, tasksOf } from "./support.js";

/** An experiment over as many tasks as there are letters: "+" for a right run, "-" for a wrong one. */
function experiment(outcomes: string, options: { tokens?: number; graph?: string } = {}): Summary {
  const records = outcomes
    .split("")
    .map((outcome, index) =>
      judgedRun({ task: `t${index + 1}`, right: outcome === "+", ...options }),
    );
  return summaryOf({ records, tasks: tasksOf(outcomes.length) });
}

describe("the comparison of two experiments", () => {
  it("counts the tasks that became better, worse or stayed", () => {
    const { scores } = comparison({ a: experiment("--++"), b: experiment("+-+-") });
    expect(scores[0]).toMatchObject({
      score: "answerNumeric",
      graph: "cot_tulip",
      tasks: 4,
      meanA: 0.5,
      meanB: 0.5,
      difference: 0,
      better: 1,
      worse: 1,
      same: 2,
      differing: 2,
      p: 1,
      verdict: "within noise",
    });
    expect(
      scores[0]?.changes.map(({ task, level, a, b, change }) => [task, level, a, b, change]),
    ).toStrictEqual([
      ["t1", "easy", 0, 1, "better"],
      ["t2", "hard", 0, 0, "same"],
      ["t3", "easy", 1, 1, "same"],
      ["t4", "hard", 1, 0, "worse"],
    ]);
  });

  it.each([
    ["------++", "++++++++", "better", 2 / 2 ** 6],
    ["++++++++", "------++", "worse", 2 / 2 ** 6],
    ["-----+++", "++++++++", "within noise", 2 / 2 ** 5],
    ["++++++++", "++++++++", "within noise", 1],
  ])("judges the step from %s to %s to be %s", (before, after, verdict, p) => {
    const [score] = comparison({ a: experiment(before), b: experiment(after) }).scores;
    expect(score).toMatchObject({ verdict, p });
  });

  it("treats fewer tokens as better", () => {
    const right = "+".repeat(8);
    const { scores } = comparison({
      a: experiment(right, { tokens: 200 }),
      b: experiment(right, { tokens: 150 }),
    });
    const tokens = scores.find(({ score }) => score === "totalTokens");
    expect(tokens).toMatchObject({ difference: -50, better: 8, verdict: "better" });
  });

  it("names what only one of them has", () => {
    const both = ["base", "cot_tulip"].map((graph) =>
      judgedRun({ task: "t1", right: true, graph }),
    );
    const a = summaryOf({ records: both, tasks: tasksOf(3) });
    const b = summaryOf({ records: both.slice(1), tasks: tasksOf(1) });
    const compared = comparison({ a, b });
    expect(compared.a).toMatchObject({
      onlyTasks: ["t2", "t3"],
      onlySeries: [{ graph: "base", variant: "" }],
    });
    expect(compared.b).toMatchObject({ onlyTasks: [], onlySeries: [] });
    expect(new Set(compared.scores.map(({ graph }) => graph))).toStrictEqual(
      new Set(["cot_tulip"]),
    );
    expect(compared.scorers.map(({ id }) => id)).toStrictEqual(["answerNumeric", "totalTokens"]);
  });

  it("is refused for different benchmarks", () => {
    const a = experiment("+");
    const changed = { ...a, benchmark: { ...a.benchmark, hash: "other" } };
    expect(() => comparison({ a, b: changed })).toThrow(InvalidSetting);
    expect(() => comparison({ a, b: changed })).toThrow(/tasks or tools have changed/);
    const other = { ...a, benchmark: { ...a.benchmark, hash: "other", name: "products" } };
    expect(() => comparison({ a, b: other })).toThrow(/benchmark b, the second about products/);
  });
});
