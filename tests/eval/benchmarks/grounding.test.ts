import { expect, it } from "vitest";
import type { Task } from "../../../eval/benchmarks/benchmark.js";
import { mathBenchmark } from "../../../eval/benchmarks/math/index.js";
import { playProgram } from "./work/playProgram.js";
import { workBenchmark } from "../../../eval/benchmarks/work/index.js";
import { type Known, knownIn } from "../../../plans/grounding/sources.js";
import { ungroundedValues } from "../../../plans/grounding/ungrounded.js";
import { programText } from "../../../plans/steps/references.js";
import { replay } from "./math/replay.js";

it("finds a source for every value of right answers in the work benchmark", async () => {
  const { tasks, tools, background = "" } = await workBenchmark();
  const alarms: unknown[] = [];
  let answers = 0;
  for (const { id, query, plan } of tasks) {
    if (!plan || plan.steps.length === 0) continue;
    const { calls, results, answer } = await playProgram({ program: programText(plan), tools });
    const values = [...calls.map(({ args }) => args), ...results];
    const known = knownIn({ texts: [query, background], values });
    const flagged = valuesFlagged(answer, known);
    answers += 1;
    if (flagged.length > 0) alarms.push({ id, answer, flagged });
  }
  expect(alarms).toEqual([]);
  expect(answers).toBe(72);
});

it("finds a source for every value of right answers in the mathematics benchmark", async () => {
  const { tasks, tools } = await mathBenchmark();
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const alarms: unknown[] = [];
  let answers = 0;
  for (const task of tasks) {
    const { id, query, calls = [] } = task;
    if (calls.length === 0) continue;
    const values = [...calls.map(({ args }) => args), ...(await replay(task, byId))];
    const known = knownIn({ texts: [query], values });
    for (const answer of wordings(task, values.at(-1))) {
      const flagged = valuesFlagged(answer, known);
      answers += 1;
      if (flagged.length > 0) alarms.push({ id, answer, flagged });
    }
  }
  expect(alarms).toEqual([]);
  expect(answers).toBeGreaterThan(150);
});

/** The accepted answers, and the last result as people write it. */
function wordings({ query, answers = [] }: Task, result: unknown): string[] {
  const accepted = answers.map((answer) => `You asked: ${query} The answer is ${answer}.`);
  if (typeof result !== "number") return accepted;
  const told = [result.toFixed(2), result.toPrecision(4), result.toLocaleString("en-US")];
  return [...accepted, ...told.map((each) => `It comes to ${each}.`)];
}

function valuesFlagged(answer: string, known: Known): string[] {
  return ungroundedValues(answer, known).map(({ written }) => written);
}
