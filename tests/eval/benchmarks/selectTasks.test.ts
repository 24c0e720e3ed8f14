import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Task } from "../../../eval/benchmarks/benchmark.js";
import { offerAmong, selectTasks } from "../../../eval/benchmarks/selectTasks.js";
import type { ToolDefinition } from "../../../tools/tool.js";

function task(id: string, level: string, split?: string): Task {
  return { id, level, split, query: id, tools: [] };
}

const SET = {
  name: "set",
  tasks: [
    task("a1", "a", "dev"),
    task("a2", "a", "test"),
    task("a3", "a", "dev"),
    task("b1", "b", "dev"),
    task("c1", "c"),
    task("c2", "c"),
  ],
};

function selected(selection: Parameters<typeof selectTasks>[1]): string {
  return selectTasks(SET, selection)
    .map(({ id }) => id)
    .join(" ");
}

describe("a selection of tasks", () => {
  it("is all of them unless it says otherwise", () => {
    expect(selected({})).toBe("a1 a2 a3 b1 c1 c2");
  });

  it("is by split, level and id, each with several values, in the order of the benchmark", () => {
    expect(selected({ split: ["dev"] })).toBe("a1 a3 b1");
    expect(selected({ level: ["c", "b"] })).toBe("b1 c1 c2");
    expect(selected({ task: ["c1", "a2"] })).toBe("a2 c1");
    expect(selected({ split: ["dev"], level: ["a"], task: ["a3", "c1"] })).toBe("a3");
  });

  it.each([
    [1, "a1"],
    [3, "a1 b1 c1"],
    [4, "a1 a2 b1 c1"],
    [5, "a1 a2 b1 c1 c2"],
    [9, "a1 a2 a3 b1 c1 c2"],
  ])("limited to %d takes evenly from the levels", (limit, ids) => {
    expect(selected({ limit })).toBe(ids);
  });

  it("is limited after all else", () => {
    expect(selected({ split: ["dev"], limit: 2 })).toBe("a1 b1");
  });

  it.each([
    [
      { split: ["dev", "deve"] },
      'unknown split of set "deve"; did you mean "dev"?; available: dev, test',
    ],
    [{ level: ["x"] }, 'unknown level of set "x"; available: a, b, c'],
    [{ task: ["a9"] }, 'unknown task of set "a9"; available: a1, a2'],
    [{ split: ["test"], level: ["b"] }, "no task of set matches all of it"],
  ])("of what there is not is refused: %j", (selection, said) => {
    expect(() => selected(selection)).toThrow(said);
  });
});

const TOOLS = Array.from({ length: 40 }, (_, index) => ({ id: `t${index}` }) as ToolDefinition);

function offered(given: {
  id?: string;
  tools?: string[];
  candidates?: string[];
  others?: number;
  seed?: number;
}) {
  const { id = "q", tools = ["t7"], candidates, others = 5, seed = 1 } = given;
  return offerAmong({ benchmark: { tools: TOOLS }, task: { id, tools, candidates }, others, seed });
}

describe("the tools that a task is offered", () => {
  it("are its own and others of the set, in the set's order, each once", () => {
    fc.assert(
      fc.property(
        fc.subarray(TOOLS.map(({ id }) => id)),
        fc.option(fc.subarray(TOOLS.map(({ id }) => id)), { nil: undefined }),
        fc.nat({ max: 50 }),
        fc.integer(),
        (tools, candidates, others, seed) => {
          const ids = offered({ tools, candidates, others, seed });
          const own = new Set([...tools, ...(candidates ?? [])]);
          expect(ids).toEqual(expect.arrayContaining([...own]));
          expect(new Set(ids).size).toBe(ids.length);
          expect(ids).toHaveLength(Math.min(TOOLS.length, own.size + others));
          expect(ids).toEqual(TOOLS.map(({ id }) => id).filter((id) => ids.includes(id)));
        },
      ),
    );
  });

  it("depend on the task and the seed alone", () => {
    expect(offered({})).toEqual(offered({}));
    expect(offered({ seed: 2 })).not.toEqual(offered({}));
    expect(offered({ id: "r" })).not.toEqual(offered({}));
  });
});

describe("tools on offer in a drawn order", () => {
  const tools = ["a", "b", "c", "d", "e", "f"].map((id) => ({ id }) as ToolDefinition);
  const own = { id: "t", tools: ["b", "e"] };

  it("are the task's own alone, or all, in an order that depends on the seed and the task", () => {
    const offer = (seed: number, others?: number) =>
      offerAmong({ benchmark: { tools }, task: own, seed, others, shuffled: true });
    expect(offer(1, 0).toSorted()).toEqual(["b", "e"]);
    expect(offer(1).toSorted()).toEqual(tools.map(({ id }) => id));
    expect(offer(1)).toEqual(offer(1));
    expect(new Set([1, 2, 3, 4].map((seed) => offer(seed).join())).size).toBeGreaterThan(1);
  });
});
