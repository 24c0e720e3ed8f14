import { describe, expect, it } from "vitest";
import { creationFigures } from "../../../eval/creation/creationFigures.js";
import { creationReport } from "../../../eval/creation/creationReport.js";
import { createdRecord, requestWith } from "./support.js";

function reportOf(...records: Parameters<typeof createdRecord>[0][]): string[] {
  const made = records.map((changes) => ({
    request: requestWith(),
    record: createdRecord(changes),
  }));
  const figures = creationFigures(made);
  return creationReport({ figures, command: "tulipgraph eval creation --out DIR" }).split("\n");
}

describe("the report on creating tools", () => {
  it("says in its first line what the model is, and that a script is no language model", () => {
    expect(reportOf({})[0]).toBe("Model: openai:gpt-4.1-mini.");
    expect(reportOf({ model: "simulated:writer" })[0]).toMatch(
      /^Model: simulated:writer, .* no language model: .* say nothing about any model\.$/,
    );
    expect(reportOf({ model: "offline:planner" })[0]).toMatch(/no language model: it cannot write/);
  });

  it("has a row for each request, with what was wrong with its drafts", () => {
    const drafts = [
      { fault: "types", problem: "no" },
      { fault: null, problem: "" },
    ] as const;
    const lines = reportOf({}, { drafts: [...drafts] });
    expect(lines).toContain("| twice | numbers | created | yes | 1 | 2/2 | 3 | 1,234 | 1.5 s |");
    expect(lines).toContain(
      "| twice | numbers | created | yes | 2 (types) | 2/2 | 3 | 1,234 | 1.5 s |",
    );
  });

  it("has the totals, estimates marked as such", () => {
    const lines = reportOf({});
    expect(lines).toContain("- right: 1 of 1 requests");
    expect(lines).toContain("- drafts that could not be used: none");
    expect(lines).toContain("- tokens: 1,234, dollars: $0.0100");
    const { usage } = createdRecord();
    const estimated = reportOf({ usage: { ...usage, estimated: true }, usd: null });
    expect(estimated).toContain("- tokens: 1,234 (estimated), dollars: not known");
  });

  it("says why a request is not right, and which hidden checks fail with what", () => {
    const failing = [{ check: "f(1) => 2", got: "it gives 3" }];
    const lines = reportOf({ hidden: { passed: 1, failing } });
    expect(lines).toContain("- twice: 1 of 2 hidden checks fail");
    expect(lines).toContain("- twice: f(1) =&gt; 2; it gives 3");
    expect(reportOf({}).join("\n")).not.toContain("## ");
  });
});
