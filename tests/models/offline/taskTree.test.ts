import { replyToWriteTool } from "../../../models/offline/keeping.js";
import { replyToParaphrase } from "../../../models/offline/rewording.js";
import { replyToDecompose } from "../../../models/offline/splitting.js";
import { replyToAggregate } from "../../../models/offline/summary.js";
import type { Reply } from "../../../models/prompt.js";
import type { DecomposeInput } from "../../../nodes/finding/decompose.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonObject } from "../../../models/reply.js";
import { OfflinePlanner } from "../../../models/offline/planner.js";
import type { Observation, TaskResult } from "../../../nodes/shared/stageInputs.js";
import { callsOf } from "./callsOf.js";
import { CALCULATOR, OFFICE, type TestTool, number, shown, tool } from "./libraries.js";

const planner = new OfflinePlanner();

function objectOf(reply: Reply): Record<string, unknown> | undefined {
  return "text" in reply ? jsonObject(reply.text) : undefined;
}

async function plan(more: Partial<DecomposeInput> & { task: string }): Promise<unknown> {
  const input: DecomposeInput = {
    style: "tree",
    request: more.task,
    depth: 0,
    earlierTurns: [],
    ...more,
  };
  return objectOf(await replyToDecompose(input))?.["subtasks"];
}

const SUM_AND_PRODUCT = "Subtract 3 from 10, then multiply the result by 2.";

describe("the offline planner as a planner of task trees", () => {
  it("splits a task whose parts build on each other", async () => {
    expect(await plan({ task: SUM_AND_PRODUCT })).toEqual([
      "subtract 3 from 10",
      "multiply two numbers: multiply the result of step 1 by 2",
    ]);
  });

  it("numbers its parts after the results of earlier tasks", async () => {
    const earlierResults = [
      { task: "add 1 and 2", result: "3" },
      { task: "add 2 and 2", result: "4" },
    ];
    const task = "Subtract 3 from the result of step 2, then multiply the result by 2.";
    expect(await plan({ task, depth: 1, earlierResults })).toEqual([
      "subtract two numbers: subtract 3 from the result of step 2",
      "multiply two numbers: multiply the result of step 3 by 2",
    ]);
  });

  it("splits a part further by the text after its general wording", async () => {
    const earlierResults = [{ task: "add 1 and 2", result: "3" }];
    const task = "add two numbers: add the result of step 1 and 2";
    expect(await plan({ task, depth: 1, earlierResults })).toEqual([]);
  });

  it("leaves a single operation whole", async () => {
    expect(await plan({ task: "What is 2 + 3?" })).toEqual([]);
    expect(await plan({ task: "find the area of a circle with radius 3", depth: 1 })).toEqual([]);
  });

  it("has no other plan for a task than the one that has failed", async () => {
    const subtasks = (await plan({ task: SUM_AND_PRODUCT })) as string[];
    const failedPlans = [{ subtasks, reason: "no tool" }];
    expect(await plan({ task: SUM_AND_PRODUCT, failedPlans })).toEqual([]);
  });
});

/** What came of one task of a tree. */
async function solveTask(options: {
  text: string;
  request?: string;
  earlierResults?: TaskResult[];
  tools?: TestTool[];
}): Promise<{ observations: Observation[]; message: string; solved: boolean }> {
  const { text, request = "All of it, please.", earlierResults = [], tools = CALCULATOR } = options;
  const observations: Observation[] = [];
  for (let act = 1; act <= 5; act += 1) {
    const input = {
      request,
      steps: [],
      missed: [],
      tools: tools.map(shown),
      observations: [...observations],
      earlierTurns: [],
      task: { text, earlierResults },
    };
    const calls = await callsOf(input);
    expect(calls).toHaveLength(1);
    const [{ name, args } = { name: "", args: {} }] = calls;
    if (name === "stop") {
      return { observations, message: String(args["message"]), solved: args["solved"] === true };
    }
    observations.push(observe({ name, args, tools }));
  }
  throw new Error("the planner did not end");
}

function observe(call: {
  name: string;
  args: Record<string, unknown>;
  tools: TestTool[];
}): Observation {
  const { name: tool, args, tools } = call;
  try {
    return { tool, args, result: tools.find(({ name }) => name === tool)?.run(args) };
  } catch (error) {
    return { tool, args, error: error instanceof Error ? error.message : String(error) };
  }
}

describe("the offline planner that solves one task of a tree", () => {
  it("calls one tool, and gives the bare result for others to use", async () => {
    const solved = await solveTask({ text: "subtract 3 from 10" });
    expect(solved).toMatchObject({ observations: [{ tool: "minus" }], message: "7", solved: true });
  });

  it("answers in a sentence if the task is the request itself", async () => {
    const request = "What is 6 * 7?";
    const solved = await solveTask({ text: request, request });
    expect(solved).toMatchObject({ message: "The result is 42.", solved: true });
  });

  it("takes the results of earlier tasks by their numbers", async () => {
    const earlierResults = [
      { task: "add 3 and 4", result: "7" },
      { task: "add 4 and 5", result: "9" },
    ];
    const step = "multiply the result of step 1 by the result of step 2";
    for (const text of [step, `multiply two numbers: ${step}`]) {
      const { observations, message } = await solveTask({ text, earlierResults });
      expect(observations).toMatchObject([{ tool: "times", args: { a: 7, b: 9 } }]);
      expect(message).toBe("63");
    }
  });

  it.each([
    ["Multiply the sum by 4", "Add 3 and 4", "7", "times", { a: 7, b: 4 }],
    ["Multiply it by 4", "Add 3 and 4", "7", "times", { a: 7, b: 4 }],
    [
      "Divide the area of the rectangle by 0.5",
      "Calculate the area of a rectangle with length 6 m and width 4.5 m",
      "27",
      "divided_by",
      { a: 27, b: 0.5 },
    ],
    ["Find the square root of the area", "Find the area of the garden", "36 m²", "root", { x: 36 }],
    [
      "Subtract 2 from the product",
      "Multiply 2 by 3",
      "The product is 6.",
      "minus",
      { a: 6, b: 2 },
    ],
  ])("%s, after: %s", async (text, task, result, tool, args) => {
    const { observations, solved } = await solveTask({ text, earlierResults: [{ task, result }] });
    expect(observations).toMatchObject([{ tool, args }]);
    expect(solved).toBe(true);
  });

  it("keeps a text as a text if a tool takes one, whatever number it contains", async () => {
    const earlierResults = [{ task: "translate the note", result: "chapitre 3" }];
    const text = "count the words in the result of step 1";
    const { observations } = await solveTask({ text, earlierResults, tools: OFFICE });
    expect(observations).toMatchObject([{ tool: "count_words", args: { text: "chapitre 3" } }]);
  });

  it("does not take a tool that uses one operand for an operation on two", async () => {
    const tools = [
      tool({
        name: "sum_of_natural_numbers",
        description: "Sum of the natural numbers from 1 to n.",
        properties: { n: number("the last number to add") },
      }),
    ];
    const earlierResults = [
      { task: "add 3 and 4", result: "7" },
      { task: "add 4 and 5", result: "9" },
    ];
    const text = "add the result of step 1 and the result of step 2";
    const solved = await solveTask({ text, earlierResults, tools });
    expect(solved).toMatchObject({ observations: [], solved: false });
  });

  it("stops unsolved and says what could not be done if no tool fits", async () => {
    const solved = await solveTask({ text: "translate the letter" });
    expect(solved).toMatchObject({ solved: false, observations: [] });
    expect(solved.message).toMatch(/^translate the letter could not be done: none of/);
  });

  it("stops unsolved, without a refusal, if no tool is left", async () => {
    const solved = await solveTask({ text: "subtract 3 from 10", tools: [] });
    expect(solved).toMatchObject({ solved: false });
  });

  it("says which step needs an earlier result", async () => {
    const solved = await solveTask({ text: "multiply the result of step 1 by 2" });
    expect(solved).toMatchObject({ solved: false, observations: [] });
  });

  it("reports the tool's error if the call fails", async () => {
    const solved = await solveTask({ text: "find the square root of -4" });
    expect(solved.observations.length).toBeLessThanOrEqual(2);
    expect(solved.message).toMatch(/negative number has no real root/);
    expect(solved.solved).toBe(false);
  });

  it("ends a task whose result is empty as solved, and says something", async () => {
    const silent = CALCULATOR.map((one) => ({ ...one, run: () => "" }));
    const solved = await solveTask({ text: "subtract 3 from 10", tools: silent });
    expect(solved).toMatchObject({ solved: true, message: "(empty)" });
  });

  it("ends whatever the task and the earlier results are", async () => {
    const words = fc.constantFrom(
      "add",
      "the",
      "sum",
      "result",
      "of",
      "step",
      "1",
      "9",
      "and",
      "it",
    );
    const text = fc.array(words, { minLength: 1, maxLength: 8 }).map((all) => all.join(" "));
    const earlier = fc.array(fc.record({ task: text, result: fc.oneof(text, fc.string()) }), {
      maxLength: 3,
    });
    await fc.assert(
      fc.asyncProperty(text, earlier, async (task, earlierResults) => {
        const { message } = await solveTask({ text: task, earlierResults });
        expect(message.trim()).not.toBe("");
      }),
      { numRuns: 25 },
    );
  });
});

async function paraphrase(task: string, tried: string[] = [task]): Promise<unknown> {
  const input = { request: "…", earlierTurns: [], task, tried, missing: "", earlierResults: [] };
  const byRules = () => replyToParaphrase(input);
  const { text } = await planner.invoke([], { stage: "paraphrase", input, byRules });
  return jsonObject(text)?.["task"];
}

describe("the offline planner that looks for other words", () => {
  it.each([
    ["find the mean of 2, 3 and 4", "find the average of 2, 3 and 4"],
    [
      "find the circumference of a circle with radius 3",
      "find the perimeter of a circle with radius 3",
    ],
    ["find the determinant of the result of step 1", "determinant of the result of step 1"],
  ])("says the same with the same values: %s", async (task, other) => {
    expect(await paraphrase(task)).toBe(other);
  });

  it("does not say again what was tried", async () => {
    const task = "find the mean of 2, 3 and 4";
    const tried = [task, "find the average of 2, 3 and 4"];
    expect(await paraphrase(task, tried)).toBe("mean of 2, 3 and 4");
  });

  it("leaves words alone that are values", async () => {
    const task = 'send an email with subject "delete the mean side"';
    expect(await paraphrase(task)).toBe('send a mail with subject "delete the mean side"');
  });

  it("returns the task if it knows no other words", async () => {
    expect(await paraphrase("yodel")).toBe("yodel");
  });
});

async function aggregate(task: string, results: TaskResult[], request = "…"): Promise<unknown> {
  const input = { request, earlierTurns: [], task, results };
  return objectOf(await replyToAggregate(input));
}

describe("the offline planner that puts results together", () => {
  const results = [
    { task: "subtract 3 from 10", result: "7" },
    { task: "multiply the result of step 1 by 2", result: "14" },
  ];

  it("gives the last result if the parts build on each other", async () => {
    expect(await aggregate(SUM_AND_PRODUCT, results)).toEqual({ result: "14", solved: true });
  });

  it("answers the request in a sentence", async () => {
    expect(await aggregate(SUM_AND_PRODUCT, results, SUM_AND_PRODUCT)).toEqual({
      result: "The result is 14.",
      solved: true,
    });
  });

  it("gives all results if the task asks for several", async () => {
    const task = "Find the area and the perimeter of a rectangle with length 4 and width 3.";
    const parts = [
      { task: "find the area of a rectangle with length 4 and width 3", result: "12" },
      { task: "find the perimeter of a rectangle with length 4 and width 3", result: "14" },
    ];
    expect(await aggregate(task, parts)).toMatchObject({
      result: expect.stringMatching(/area.*12.*perimeter.*14/),
      solved: true,
    });
  });

  it("is not solved while a result is missing, and says which", async () => {
    const [first = { task: "", result: "" }, second = first] = results;
    const lacking = [first, { ...second, result: " " }];
    expect(await aggregate(SUM_AND_PRODUCT, lacking)).toEqual({
      result: "There is no result for: multiply the result of step 1 by 2.",
      solved: false,
    });
    expect(await aggregate(SUM_AND_PRODUCT, [])).toMatchObject({ solved: false });
  });
});

it("refuses to write a tool, and says what does", async () => {
  const text = "The offline planner cannot write code; use a language model with --model.";
  expect(await replyToWriteTool()).toEqual({ text, refusal: true });
});
