import { describe, expect, it } from "vitest";
import { runDetails, runList } from "../../../../eval/report/page/runData.js";
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

  it("are there for a run whose task is not known any more", () => {
    const summary = { ...syntheticSummary({ graphs: ["base"], repetitions: 1 }), tasks: [] };
    expect(runDetails(summary)[0]?.task).toEqual({ query: "", tools: [] });
    expect(runList(summary).runs[0]?.level).toBe("");
  });
});
