import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Benchmark, Task } from "../../../../eval/benchmarks/benchmark.js";
import { robotBenchmark } from "../../../../eval/benchmarks/robot/index.js";
import { localRunner } from "../../../../eval/runs/localRunner.js";
import { runTask, sharedPauses } from "../../../../eval/runs/runTask.js";
import { scoreRun } from "../../../../eval/scorers/index.js";
import { assembleLibrary } from "../../../../eval/runs/assembledLibraries.js";
import { closeWorkspaces, openWorkspace } from "../../../../nodes/workspace/workspace.js";
import { type Reply, scriptedModel } from "../../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";
import { type Skill, SKILLS } from "../../../fixtures/robot/skills.js";

let benchmark: Benchmark;
beforeAll(async () => {
  benchmark = await robotBenchmark();
  openWorkspace({ worlds: benchmark.ownWorlds });
});
afterAll(closeWorkspaces);

/** A run of a task with a library of the shipped tools only, and its scores. */
async function runOf(options: { id: string; model: string; name: string }) {
  const { id, model, name } = options;
  const { embeddings } = TEST_LIBRARY;
  const { store } = openWorkspace();
  await assembleLibrary({ store, name, embeddings, catalog: "robot" });
  const task = taskNamed(id);
  const { world } = benchmark;
  const settings = {
    library: name,
    embeddings,
    threshold: 0,
    topK: 20,
    model,
    background: benchmark.background,
    ...task.settings,
  };
  const run = await runTask({
    planned: { id: name, task, graph: "auto_tulip", variant: "", run: 1, settings },
    number: 1,
    runner: localRunner(),
    world,
    signal: new AbortController().signal,
    pauses: sharedPauses(),
  });
  return { run, ...scoreRun({ task, run, benchmark }) };
}

function taskNamed(id: string): Task {
  const task = benchmark.tasks.find((each) => each.id === id);
  if (!task) throw new Error(`there is no task ${id}`);
  return task;
}

/** A model that looks for tools, has one written, calls it and answers. */
function growing({ wish, code, calls }: Skill): Reply[] {
  return [
    { calls: [{ name: "search_tools", args: { action_descriptions: [wish] } }] },
    { calls: [{ name: "create_tool", args: { task_description: wish } }] },
    { text: code },
    ...calls.map(({ tool, args }): Reply => ({ calls: [{ name: tool, args }] })),
    { stop: "It is done." },
  ];
}

describe("with tools of its own, in no more model calls than are allowed", () => {
  it.each(SKILLS)("a model does the task $task", async (skill) => {
    const { spec } = scriptedModel(growing(skill));
    const { run, scores, problems } = await runOf({
      id: skill.task,
      model: spec,
      name: `with.${skill.task}`,
    });
    expect(problems).toEqual({});
    expect(run).toMatchObject({ status: "solved" });
    expect(scores).toMatchObject({ stateMatch: 1, sideEffects: 0 });
  });
});
