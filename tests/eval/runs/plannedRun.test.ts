import { afterAll, beforeAll, expect, it } from "vitest";
import type { Task } from "../../../eval/benchmarks/benchmark.js";
import { localRunner } from "../../../eval/runs/localRunner.js";
import type { RunRecord } from "../../../eval/runs/runRecord.js";
import { runTask, sharedPauses } from "../../../eval/runs/runTask.js";
import { scoreRun } from "../../../eval/scorers/index.js";
import { solutionOf } from "../../../eval/scorers/solution.js";
import { readPlan } from "../../../plans/steps/readPlan.js";
import { closeWorkspaces } from "../../../nodes/workspace/workspace.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY, importTestLibrary } from "../../fakes/testLibrary.js";

beforeAll(importTestLibrary);
afterAll(closeWorkspaces);

const STEPS = [
  { tool: "double_number", args: { value: 21 } },
  { tool: "halve_number", args: { value: "$$PREV[0]" } },
];

/** Its gold calls with their values, and as a plan. */
const TASK: Task = {
  id: "t1",
  query: "Double 21 and halve what comes out",
  tools: STEPS.map(({ tool }) => tool),
  calls: [
    { tool: "double_number", args: { value: 21 } },
    { tool: "halve_number", args: { value: 42 } },
  ],
  plan: readPlan({ steps: STEPS }, []).plan,
  level: "all",
};

/** The record of a run whose model plans the gold steps. */
async function recordOf(graph: string): Promise<RunRecord> {
  const reply = JSON.stringify({ steps: STEPS });
  const { spec: model } = scriptedModel([{ text: reply }]);
  return await runTask({
    planned: {
      id: `${graph} ${TASK.id}`,
      task: TASK,
      graph,
      variant: "",
      run: 1,
      settings: { ...TEST_LIBRARY, model, threshold: 0, topK: 9 },
    },
    number: 1,
    runner: localRunner(),
    signal: new AbortController().signal,
    pauses: sharedPauses(),
  });
}

it("the record of a run with a plan has the plan as its solution", async () => {
  const run = await recordOf("iit_main");
  expect(run).toMatchObject({ status: "planned", plan: { issues: [] }, calls: [] });
  expect(solutionOf(run).isPlanned).toBe(true);
  const { scores } = scoreRun({ task: TASK, run, benchmark: { argumentRule: "equal" } });
  expect(scores).toMatchObject({ irrelevantRate: 0, missingRate: 0, callMatch: 1, rougeL: 1 });
});
