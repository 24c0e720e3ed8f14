import { describe, expect, it } from "vitest";
import { type ExperimentDefinition, planRuns, variantsOf } from "../../../eval/runs/experiment.js";
import { taskNamed } from "./support.js";

const DEFINITION: ExperimentDefinition = {
  benchmark: { name: "b", source: "here", hash: "h", argumentRule: "equal", tools: 1 },
  tasks: ["t1", "t2"],
  graphs: ["base", "cot_tulip"],
  variants: variantsOf({ topK: [1, 5] }),
  runs: 2,
  settings: { model: "offline:planner" },
  seed: 7,
};

const plan = (definition = DEFINITION) =>
  planRuns({
    definition,
    tasks: definition.tasks.map((id) => taskNamed(id)),
    settingsOf: (task, settings) => ({ ...settings, library: task.id }),
  });

describe("the grid of an experiment", () => {
  it("combines all values of all settings", () => {
    expect(variantsOf({ topK: [1, 5], model: ["a:b", "c:d"] })).toEqual([
      { name: "topK=1 model=a:b", settings: { topK: 1, model: "a:b" } },
      { name: "topK=1 model=c:d", settings: { topK: 1, model: "c:d" } },
      { name: "topK=5 model=a:b", settings: { topK: 5, model: "a:b" } },
      { name: "topK=5 model=c:d", settings: { topK: 5, model: "c:d" } },
    ]);
  });
});

describe("the plan of an experiment", () => {
  it("repeats only after all tasks had their turn", () => {
    expect(plan().map(({ run }) => run)).toEqual([...Array(8).fill(1), ...Array(8).fill(2)]);
  });

  it("puts the settings of a variant over those that all runs share, and those of the task last", () => {
    expect(plan()[0]?.settings).toEqual({
      model: "offline:planner",
      topK: 1,
      library: "t1",
      seed: 7,
    });
  });

  it("names a run by what it is, so that the same plan gives the same names", () => {
    expect(plan()[0]?.id).toBe("t1 | base | topK=1 | 1");
    expect(plan({ ...DEFINITION, variants: variantsOf({}) })[0]?.id).toBe("t1 | base | 1");
  });
});
