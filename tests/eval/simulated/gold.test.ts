import { describe, expect, it } from "vitest";
import { mathBenchmark } from "../../../eval/benchmarks/math/index.js";
import { ERRS, shownSteps } from "../../../eval/simulated/gold.js";
import { answerInWords, filled, goldOf, wordsOf } from "../../../eval/simulated/goldSteps.js";
import { tool } from "./support.js";

const { tasks } = await mathBenchmark();

describe("what the simulated model knows", () => {
  it("are the gold calls, in which results of earlier ones are referred to", () => {
    const task = tasks.find(({ id }) => id === "hard-01");
    const { steps, answer } = (task && goldOf(task)) ?? { steps: [], answer: "" };
    expect(steps.slice(0, 2)).toEqual([
      { tool: "perimeter_rectangle", args: { length: 5.2, width: 3.8 } },
      { tool: "multiply", args: { a: { $prev: 0, path: [] }, b: 2.5 } },
    ]);
    expect(filled(answer, [18, 45, 38.7, 4.3, 5])).toBe(5);
    expect(steps.map(wordsOf).slice(0, 2)).toEqual([
      "perimeter rectangle length width",
      "multiply numbers",
    ]);
  });

  it("answers in the words that the request wants", () => {
    const gold = { steps: [], answer: "$$PREV[0]" };
    expect(answerInWords(gold, [false], "Is it odd?")).toBe("no");
    expect(answerInWords(gold, [false], "Is it odd? Answer true or false.")).toBe("false");
  });

  it("is nothing for a task that does not say which calls are needed", () => {
    const task = { id: "t", query: "q", tools: ["add"], level: "all" };
    expect(goldOf(task)).toBeUndefined();
  });
});

describe("what the simulated model does with it", () => {
  const add = tool("add", "Adds.");
  const gold = { steps: [{ tool: "add", args: { a: 1, b: 2 } }], answer: "" };

  it("uses a tool only if it is shown, by whatever name", () => {
    const known = { gold, seed: 1, request: "q" };
    expect(shownSteps({ tools: [] }, known)).toEqual([undefined]);
    expect(shownSteps({ tools: [add] }, known)).toEqual(gold.steps);
    const listed = { tools: [], listed: "sums: math.subtract, A-dd" };
    expect(shownSteps(listed, known)).toMatchObject([{ tool: "A-dd" }]);
  });

  it("takes another tool on offer as often as stated, in the same steps for the same seed", () => {
    const tools = [add, tool("subtract", "Subtracts.")];
    const names = Array.from({ length: 2000 }, (_, seed) => {
      const [first] = shownSteps({ tools }, { gold, seed, request: "q" });
      expect(shownSteps({ tools }, { gold, seed, request: "q" })).toEqual([first]);
      return first?.tool;
    });
    const wrong = names.filter((name) => name === "subtract").length / names.length;
    expect(wrong).toBeGreaterThan(ERRS / 2);
    expect(wrong).toBeLessThan(ERRS * 2);
  });
});
