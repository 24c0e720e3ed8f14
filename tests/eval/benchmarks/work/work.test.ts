import { beforeAll, describe, expect, it } from "vitest";
import type { Benchmark, Task } from "../../../../eval/benchmarks/benchmark.js";
import { type Played, playProgram } from "./playProgram.js";
import { workBenchmark } from "../../../../eval/benchmarks/work/index.js";
import { hasWords } from "../../../../eval/scorers/answers.js";
import { programText } from "../../../../plans/steps/references.js";
import { verifyPlan } from "../../../../plans/steps/verifyPlan.js";
import type { Plan } from "../../../../plans/steps/plan.js";

let benchmark: Benchmark;
let planned: Task[];
let solvable: Task[];
let played: Map<string, Played>;

beforeAll(async () => {
  benchmark = await workBenchmark();
  planned = benchmark.tasks.filter(({ level }) => level !== "program");
  solvable = planned.filter(({ level }) => level !== "unsolvable");
  const runs = solvable.map(async (task) => [task.id, await play(task)] as const);
  played = new Map(await Promise.all(runs));
});

describe("the benchmark work", () => {
  it("has 80 tasks with gold plans, of which 8 cannot be solved and 7 only in part.", () => {
    expect(countsBy(({ split = "" }) => split)).toEqual({
      triage: 13,
      "sprint planning": 13,
      "customer follow-up": 13,
      reporting: 13,
      "hand-overs": 13,
      "partly solvable": 7,
      unsolvable: 8,
    });
  });

  it("has levels by the number of calls: one, two or three, four to seven, and none.", () => {
    const bounds: Record<string, [number, number]> = {
      easy: [1, 1],
      medium: [2, 3],
      hard: [4, 7],
      unsolvable: [0, 0],
    };
    const outside = planned.filter(({ level, calls = [] }) => {
      const [least = NaN, most = NaN] = bounds[level] ?? [];
      return !(calls.length >= least && calls.length <= most);
    });
    expect(outside).toEqual([]);
    expect(Object.keys(countsBy(({ level }) => level)).toSorted()).toEqual(
      Object.keys(bounds).toSorted(),
    );
  });

  it("asks nothing twice and takes no two tasks through the same tools in the same order.", () => {
    const queries = benchmark.tasks.map(({ query }) => query.toLowerCase());
    expect(new Set(queries).size).toBe(120);
    expect(new Set(benchmark.tasks.map(({ id }) => id)).size).toBe(120);
    const sequences = solvable.map((task) => task.tools.join(" "));
    expect(sequences.filter((each, at) => sequences.indexOf(each) !== at)).toEqual([]);
  });

  it("asks of every task that can be done for facts, a change or both.", () => {
    const idle = benchmark.tasks
      .filter(({ stateDiff }) => stateDiff)
      .filter(
        ({ facts = [], stateDiff = {} }) => facts.length + Object.keys(stateDiff).length === 0,
      );
    expect(idle).toEqual([]);
  });

  it("has the same hash at every reading.", async () => {
    expect((await workBenchmark()).hash).toBe(benchmark.hash);
  });
});

describe("the gold plans of the benchmark work", () => {
  it("type-check as they are: nothing is mended and nothing left to mend.", () => {
    const problems = solvable.flatMap(({ id, plan }) => {
      const { repairs, issues } = verifyPlan({ plan: planOf(plan), tools: benchmark.tools });
      return [...repairs, ...issues.map(({ problem }) => problem)].map((each) => `${id}: ${each}`);
    });
    expect(problems).toEqual([]);
  });

  it("run over the seeded world with the calls that are written down.", () => {
    for (const { id, calls } of solvable) {
      const made = played.get(id)?.calls.toSorted(byText);
      expect({ id, calls: made }).toEqual({ id, calls: calls?.toSorted(byText) });
    }
  });

  it("change the world as is written down, and nothing where they only read.", () => {
    for (const { id, stateDiff } of solvable) {
      expect({ id, stateDiff: played.get(id)?.change }).toEqual({ id, stateDiff });
    }
  });

  it("give an answer in which every fact stands, and none stands in the request already.", () => {
    const wrong = solvable.flatMap(({ id, query, facts = [] }) => {
      const answer = played.get(id)?.answer ?? "";
      return facts
        .filter((fact) => !hasWords(answer, fact) || (hasWords(query, fact) && !isNumber(fact)))
        .map((fact) => `${id}: ${fact}`);
    });
    expect(wrong).toEqual([]);
  });
});

async function play({ id, plan }: Task): Promise<Played> {
  try {
    return await playProgram({ program: programText(planOf(plan)), tools: benchmark.tools });
  } catch (error) {
    throw new Error(`${id} cannot be played`, { cause: error });
  }
}

/** Independent reads are made together, whatever their order in the plan. */
function byText(one: object, other: object): number {
  return JSON.stringify(one).localeCompare(JSON.stringify(other));
}

function isNumber(text: string): boolean {
  return /^[\d.]+$/.test(text);
}

function countsBy(name: (task: Task) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const task of planned) counts[name(task)] = (counts[name(task)] ?? 0) + 1;
  return counts;
}

function planOf(plan: Plan | undefined): Plan {
  if (plan) return plan;
  throw new Error("the task has no plan");
}
