import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Benchmark, Task } from "../../../../eval/benchmarks/benchmark.js";
import { workBenchmark } from "../../../../eval/benchmarks/work/index.js";
import { PROGRAM_PARTS } from "../../../../eval/benchmarks/work/workTask.js";
import type { RunRecord } from "../../../../eval/runs/runRecord.js";
import { localRunner } from "../../../../eval/runs/localRunner.js";
import { runTask, sharedPauses } from "../../../../eval/runs/runTask.js";
import { scoreRun } from "../../../../eval/scorers/index.js";
import { closeWorkspaces, openWorkspace } from "../../../../home/workspace.js";
import { scriptedModel } from "../../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../../fakes/testLibrary.js";

const { embeddings } = TEST_LIBRARY;

let benchmark: Benchmark;
beforeAll(async () => {
  benchmark = await workBenchmark();
  openWorkspace({ worlds: benchmark.ownWorlds });
  await openWorkspace().library({ library: "work", embeddings });
});
afterAll(closeWorkspaces);

const TASKS = PROGRAM_PARTS.flatMap(({ split, tasks }) =>
  tasks.map((task) => ({ ...task, split })),
);

describe("the tasks of work that need a program", () => {
  it("are forty, ten of them with a part that no tool can do", () => {
    expect(PROGRAM_PARTS.map(({ split, tasks }) => [split, tasks.length])).toEqual([
      ["conditions", 8],
      ["loops", 7],
      ["counts", 8],
      ["dates", 7],
      ["beyond the tools", 10],
    ]);
  });

  it.each(TASKS)("$id is done right by its gold program, in one reply", async ({ id }) => {
    const { run, stages, scores, problems } = await goldRunOf(id);
    expect({ answer: run.answer, stages, problems, ...scores }).toMatchObject({
      stages: ["writeProgram"],
      problems: {},
      rightInAll: 1,
      falselySolved: 0,
    });
  });

  it("have the calls of their gold programs as gold calls", async () => {
    const done = benchmark.tasks.filter(({ program, stateDiff }) => program && stateDiff);
    expect(done).toHaveLength(36);
    for (const { id, calls = [] } of done) {
      const { run } = await goldRunOf(id);
      const made = run.calls.map(({ tool, args }) => ({ tool, args }));
      expect({ id, calls: made.toSorted(byText) }).toEqual({ id, calls: calls.toSorted(byText) });
    }
  });

  it("have no gold calls if nothing can be done", () => {
    const idle = benchmark.tasks.filter(({ program, stateDiff }) => program && !stateDiff);
    expect(idle.map(({ id, calls, tools }) => ({ id, calls, tools }))).toEqual(
      ["01", "02", "03", "04"].map((at) => ({ id: `beyond-${at}`, calls: [], tools: [] })),
    );
  });

  it.each([
    ["conditions-01", "three count as fewer than three", "open.length < 3", "open.length <= 3"],
    ["loops-02", "closed blockers count", "open.length === 0", "blockers.length === 0"],
    ["counts-01", "closed items are counted", "${open.length}", "${owned.length}"],
    ["dates-02", "exactly 30 days are enough", "> 30", ">= 30"],
    ["beyond-10", "one of the numbers is wrong", "${open.length}", "${tickets.length}"],
  ])("%s is not right where %s", async (id, _fault, from, to) => {
    const gold = taskNamed(id).program ?? "";
    const wrong = gold.replace(from, to);
    expect(wrong).not.toBe(gold);
    const { run, scores } = await runOf(id, wrong);
    expect({ left: run.error, rightInAll: scores.rightInAll }).toEqual({
      left: undefined,
      rightInAll: 0,
    });
  });
});

const goldRuns = new Map<string, ReturnType<typeof runOf>>();

/** The run of a task's gold program, made once for all tests. */
async function goldRunOf(id: string) {
  const run = goldRuns.get(id) ?? runOf(id, taskNamed(id).program ?? "");
  goldRuns.set(id, run);
  return await run;
}

/** A run in which the model replies with a program, with its scores and the stages that asked the model. */
async function runOf(id: string, program: string) {
  const task = taskNamed(id);
  const model = scriptedModel((question) =>
    question.stage === "writeProgram"
      ? { text: `\`\`\`ts\n${program}\n\`\`\`` }
      : { stop: "I stop here.", solved: false },
  );
  const { background, world } = benchmark;
  const settings = { library: "work", embeddings, model: model.spec, background, approval: "none" };
  const run: RunRecord = await runTask({
    planned: { id: crypto.randomUUID(), task, graph: "tulip", variant: "", run: 1, settings },
    number: 1,
    runner: localRunner(),
    world,
    signal: new AbortController().signal,
    pauses: sharedPauses(),
  });
  const stages = model.questions.map(({ stage }) => stage);
  return { run, stages, ...scoreRun({ task, run, benchmark }) };
}

function taskNamed(id: string): Task {
  const task = benchmark.tasks.find((each) => each.id === id);
  if (task) return task;
  throw new Error(`there is no task ${id}`);
}

function byText(one: object, other: object): number {
  return JSON.stringify(one).localeCompare(JSON.stringify(other));
}
