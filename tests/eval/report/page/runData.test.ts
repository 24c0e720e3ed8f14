import { describe, expect, it } from "vitest";
import { runDetails, runList } from "../../../../eval/report/page/runData.js";
import type { RunRecord } from "../../../../eval/runs/runRecord.js";
import { syntheticSummary } from "../fixture.js";

describe("a run's details", () => {
  it("hold what was asked, what was expected and what happened", () => {
    const details = runDetails(syntheticSummary({ graphs: ["cot_tulip"] }))[1];
    expect(details?.task).toMatchObject({
      query: "What is the sum of 0 and 2, as a easy question?",
      tools: ["add", "square_root"],
      answers: "2",
      calls: ['add({"a":0,"b":2})'],
    });
    expect(details?.calls).toEqual([
      { tool: "add", args: '{"a":0,"b":2}', result: "2", ms: 3 },
      { tool: "divide", args: '{"a":1,"b":0}', error: "division by zero", ms: 1 },
    ]);
    expect(details?.stages.map(({ stage }) => stage)).toContain("act");
    expect(details?.settings).toContainEqual(["topK", "5"]);
  });

  it("cut a long result and say how long it was", () => {
    const [details] = runDetails(syntheticSummary({ graphs: ["base"] }));
    const result = details?.calls[0]?.result ?? "";
    expect(result.length).toBeLessThan(2100);
    expect(result).toMatch(/… \[cut here: 5,\d{3} characters in all\]$/);
  });

  it("hold the plan, with what it says beside its steps", () => {
    const summary = syntheticSummary({ graphs: ["base"], repetitions: 1 });
    const plan: RunRecord["plan"] = {
      steps: [
        { tool: "add", args: { a: 0, b: 2 } },
        { tool: "square_root", args: { of: { $prev: 0, path: [] } } },
      ],
      answer: "It is $$PREV[1].",
      issues: [{ kind: "type", problem: "step 1: of: no number" }],
    };
    const runs = summary.runs.map((run, at) =>
      at === 0 ? { ...run, record: { ...run.record, plan } } : run,
    );
    const [first, second] = runDetails({ ...summary, runs });
    expect(first?.plan).toEqual([
      '0. add({"a":0,"b":2})',
      '1. square_root({"of":"$$PREV[0]"})',
      "answer: It is $$PREV[1].",
      "not mended: step 1: of: no number",
    ]);
    expect(second?.plan).toEqual([]);
  });

  it("hold the program, with what was mended in it and why it was left", () => {
    const summary = syntheticSummary({ graphs: ["base"], repetitions: 1 });
    const program: RunRecord["program"] = {
      code: "const sum = await add({ a: 0, b: 2 });\nreturn sum;",
      repairs: ["line 2: a semicolon"],
      issues: [{ kind: "type", line: 1, problem: "no number" }],
      left: "line 1: add has failed",
    };
    const runs = summary.runs.map((run) => ({ ...run, record: { ...run.record, program } }));
    expect(runDetails({ ...summary, runs })[0]?.plan).toEqual([
      program.code,
      "mended: line 2: a semicolon",
      "not mended: line 1: no number",
      "left, because line 1: add has failed",
    ]);
  });

  it("exist for a run whose task is no longer known", () => {
    const summary = { ...syntheticSummary({ graphs: ["base"], repetitions: 1 }), tasks: [] };
    expect(runDetails(summary)[0]?.task).toEqual({ query: "", tools: [] });
    expect(runList(summary).runs[0]?.level).toBe("");
  });
});
