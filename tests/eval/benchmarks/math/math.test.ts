import { beforeAll, describe, expect, it } from "vitest";
import type { Benchmark, Task } from "../../../../eval/benchmarks/benchmark.js";
import { mathBenchmark } from "../../../../eval/benchmarks/math/index.js";
import { canonicalJson, definitionHash, sha256 } from "../../../../tools/library/records/hash.js";
import type { ToolDefinition } from "../../../../tools/tool.js";
import { PLAIN_ANSWERS } from "./plainArithmetic.js";
import { includesNumber, numbersIn, usableNumbers } from "./provenance.js";
import { replay } from "./replay.js";

let benchmark: Benchmark;
let tools: Map<string, ToolDefinition>;
let solvable: Task[];
let resultsOf: Map<string, unknown[]>;

beforeAll(async () => {
  benchmark = await mathBenchmark();
  tools = new Map(benchmark.tools.map((tool) => [tool.id, tool]));
  solvable = benchmark.tasks.filter(({ level }) => level !== "unsolvable");
  const replayed = solvable.map(async (task) => [task.id, await replay(task, tools)] as const);
  resultsOf = new Map(await Promise.all(replayed));
});

describe("the benchmark math", () => {
  it("has 20 tasks for each of three levels and 10 that cannot be solved.", () => {
    const counts: Record<string, number> = {};
    for (const { level } of benchmark.tasks) counts[level] = (counts[level] ?? 0) + 1;
    expect(counts).toEqual({ easy: 20, medium: 20, hard: 20, unsolvable: 10 });
  });

  it("gives every task a unique id by its level and its place there.", () => {
    const places = new Map<string, number>();
    for (const { id, level } of benchmark.tasks) {
      const place = (places.get(level) ?? 0) + 1;
      places.set(level, place);
      expect(id).toBe(`${level}-${String(place).padStart(2, "0")}`);
    }
  });

  it("asks no question twice.", () => {
    const queries = benchmark.tasks.map(({ query }) => query.toLowerCase());
    expect(new Set(queries).size).toBe(benchmark.tasks.length);
  });

  it("describes the tools of the catalog math and names it.", () => {
    expect(benchmark.catalog).toBe("math");
    expect(benchmark.tools.length).toBeGreaterThan(100);
    for (const { source } of benchmark.tools) {
      expect(source).toMatchObject({ kind: "function", catalog: "math" });
    }
  });

  it("has a hash of its tasks and tools, the same at every reading", async () => {
    const { tasks, tools } = benchmark;
    const hashes = tools.map(definitionHash);
    expect(benchmark.hash).toBe(sha256(canonicalJson({ tasks, tools: hashes })));
    expect((await mathBenchmark()).hash).toBe(benchmark.hash);
  });
});

describe("the levels of the benchmark math", () => {
  it("take one call, two or three, and four or more.", () => {
    const bounds: Record<string, [number, number]> = {
      easy: [1, 1],
      medium: [2, 3],
      hard: [4, Infinity],
    };
    const outside = solvable.filter(({ level, calls = [] }) => {
      const [least = NaN, most = NaN] = bounds[level] ?? [];
      return !(calls.length >= least && calls.length <= most);
    });
    expect(outside).toEqual([]);
  });

  it("name the tools of a task as its calls do, and only tools that exist.", () => {
    const called = solvable.map(({ calls = [] }) => calls.map(({ tool }) => tool));
    expect(solvable.map((task) => task.tools)).toEqual(called);
    expect(called.flat().filter((tool) => !tools.has(tool))).toEqual([]);
  });

  it("have no two hard tasks with the same tools.", () => {
    const hard = solvable.filter(({ level }) => level === "hard");
    const multisets = hard.map((task) => task.tools.toSorted().join(" "));
    expect(new Set(multisets).size).toBe(hard.length);
  });

  it("have no two easy tasks with the same tool.", () => {
    const easy = solvable.filter(({ level }) => level === "easy");
    expect(new Set(easy.flatMap((task) => task.tools)).size).toBe(easy.length);
  });

  it("have neither tools nor calls nor answers if a task cannot be solved.", () => {
    for (const task of benchmark.tasks.filter(({ level }) => level === "unsolvable")) {
      expect(task).toMatchObject({ tools: [], calls: [] });
      expect(task).not.toHaveProperty("answers");
    }
  });
});

describe("the answer key of the benchmark math", () => {
  it("is the result of the last gold call, to a relative 1e-9.", () => {
    const wrong = solvable.filter(({ id, answers }) => !agree(answers, resultsOf.get(id)?.at(-1)));
    expect(wrong).toEqual([]);
  });

  it("is the result of plain arithmetic without the catalog.", () => {
    expect(Object.keys(PLAIN_ANSWERS)).toEqual(solvable.map(({ id }) => id));
    const wrong = solvable.filter(({ id, answers }) => !agree(answers, PLAIN_ANSWERS[id]?.()));
    expect(wrong).toEqual([]);
  });
});

describe("the gold calls of the benchmark math", () => {
  it("use only numbers of the task's text, structural constants and results of earlier calls.", () => {
    const unexplained = solvable.flatMap(({ id, query, calls = [] }) =>
      calls.flatMap(({ tool, args }, index) => {
        const usable = usableNumbers(query, resultsOf.get(id)?.slice(0, index) ?? []);
        return numbersIn(args)
          .filter((number) => !includesNumber(usable, number))
          .map((number) => `${id}: ${tool}: ${number}`);
      }),
    );
    expect(unexplained).toEqual([]);
  });

  it("repeat nothing within a task.", () => {
    const repeating = solvable.filter(
      ({ calls = [] }) => new Set(calls.map(canonicalJson)).size < calls.length,
    );
    expect(repeating).toEqual([]);
  });

  it("leave no result but the last unused.", () => {
    const unused = solvable.flatMap(({ id, calls = [] }) =>
      calls.slice(0, -1).flatMap(({ tool }, index) => {
        const later = calls.slice(index + 1).flatMap(({ args }) => numbersIn(args));
        const result = numbersIn(resultsOf.get(id)?.[index]);
        return result.some((number) => includesNumber(later, number)) ? [] : [`${id}: ${tool}`];
      }),
    );
    expect(unused).toEqual([]);
  });
});

/** One answer, and it is the value found: numbers to a relative 1e-9, all else in words. */
function agree(answers: Task["answers"], found: unknown): boolean {
  const [answer, ...others] = answers ?? [];
  if (others.length > 0) return false;
  return typeof answer === "number" && typeof found === "number"
    ? Math.abs(answer - found) <= 1e-9 * Math.abs(answer)
    : answer === String(found);
}
