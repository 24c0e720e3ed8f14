import { afterAll, expect, it } from "vitest";
import type { Task } from "../../eval/benchmarks/benchmark.js";
import { workBenchmark } from "../../eval/benchmarks/work/index.js";
import type { Plan } from "../../plans/steps/plan.js";
import { closeWorkspaces } from "../../home/workspace.js";
import type { Reply } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { goldProgram } from "./goldPrograms.js";
import { programRun } from "./tulipRuns.js";

afterAll(closeWorkspaces);

const { tasks } = await workBenchmark();

/** The tasks of `work` for which anything can be done, with their gold plans. */
const HONEST = tasks.flatMap((task) =>
  task.plan && task.plan.steps.length > 0 ? [{ task, plan: task.plan }] : [],
);

it("asks about less than 5 % of the honest tasks in `work` if programs do them, and they do all of them", async () => {
  const runs = await Promise.all(
    // Every second one shows it.
    HONEST.filter((_, at) => at % 2 === 0).map(async ({ task, plan }) => {
      const script = [goldProgram(plan), { stop: "Done." }];
      const { state, waiting } = await honestRun({ task, plan, script }).start();
      return { made: state.calls, wanted: plan.steps, isAsked: waiting !== undefined };
    }),
  );
  const asked = runs.filter(({ isAsked }) => isAsked);
  expect(asked.length / runs.length).toBeLessThan(0.05);
  for (const { made, wanted, isAsked } of runs) {
    if (isAsked) continue;
    expect(made.map(({ tool }) => tool).toSorted()).toEqual(
      wanted.map(({ tool }) => tool).toSorted(),
    );
    expect(made.filter(({ error }) => error !== undefined)).toEqual([]);
  }
});

function honestRun({ task, plan, script }: { task: Task; plan: Plan; script: Reply[] }) {
  const defaultTools = [...new Set(plan.steps.map(({ tool }) => tool))];
  const settings = { ...TEST_LIBRARY, library: "work", threshold: 0, defaultTools };
  return programRun({ script, request: task.query, settings });
}
