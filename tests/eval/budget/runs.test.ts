import { describe, expect, it } from "vitest";
import { reportRuns } from "../../../eval/budget/runs.js";
import type { Results } from "../../../eval/runs/experimentFolder.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { experimentWith } from "../runs/support.js";
import { runOf, taskOf } from "../scorers/support.js";

function resultsOf(records: RunRecord[]): Results {
  return { experiment: experimentWith(), tasks: [taskOf()], records, libraries: [] };
}

describe("the runs of a report", () => {
  it("are the latest attempts, with their budget and threshold", () => {
    const settings = { budget: "40", valueThreshold: 0.3 };
    const first = runOf({ graph: "react_btp", settings, error: "broken off", attempt: 1 });
    const second = runOf({ graph: "react_btp", settings, attempt: 2 });
    const runs = reportRuns([resultsOf([first, second])]);
    expect(runs).toMatchObject([
      { graph: "react_btp", budget: 40, threshold: 0.3, run: { attempt: 2 } },
    ]);
  });

  it("are without those that have no budget or an unknown task", () => {
    const settings = { budget: 20 };
    const runs = [runOf({ graph: "react" }), runOf({ graph: "react", task: "t9", settings })];
    expect(reportRuns([resultsOf(runs)])).toEqual([]);
  });
});
