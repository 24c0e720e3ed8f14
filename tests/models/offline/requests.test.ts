import { describe, expect, it } from "vitest";
import { replyToWriteProgram } from "../../../models/offline/plans.js";
import { replyToAct, replyToAggregate, replyToDecompose } from "../../../models/offline/replies.js";
import { Refusal } from "../../../models/offline/texts.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";
import type { Observation } from "../../../nodes/kit/stageInputs.js";
import { CALCULATOR, OFFICE, shown, type TestTool, tool } from "./libraries.js";

interface Solved {
  calls: string[];
  message: string;
  solved: boolean;
}

/** Follows a request with the planner and the functions of a test library, to its end. */
function solve(request: string, tools: readonly TestTool[], more: Partial<ActInput> = {}): Solved {
  const observations: Observation[] = [];
  const basics = { request, steps: [], missed: [], earlierTurns: [], ...more };
  for (let acts = 0; acts < 20; acts += 1) {
    const reply = replyToAct({
      ...basics,
      tools: tools.map(shown),
      observations: [...observations],
    });
    const [call] = "calls" in reply ? reply.calls : [];
    if (!call) throw new Error(`no call: ${JSON.stringify(reply)}`);
    const { name, args } = call;
    const called = observations.map((one) => `${one.tool}(${JSON.stringify(one.args)})`);
    if (name === "stop") {
      return { calls: called, message: String(args["message"]), solved: args["solved"] === true };
    }
    observations.push(observe(tools, name, args));
  }
  throw new Error(`the planner did not end: ${request}`);
}

function observe(tools: readonly TestTool[], name: string, args: Record<string, unknown>) {
  const called = tools.find((one) => one.name === name);
  try {
    return { tool: name, args, result: called?.run(args) };
  } catch (error) {
    return { tool: name, args, error: error instanceof Error ? error.message : String(error) };
  }
}

describe("sums", () => {
  it.each([
    ["What is 3 times 4?", 12],
    ["What is 45342 * 23487 + 32478?", 1_064_980_032],
    ["2 + 3 * 4", 14],
    ["(4 - 1) - 2 * (3 + 1)", -5],
    ["8 - 2 - 1", 5],
    ["2^3^2", 512],
    ["the sum of 2 and the product of 3 and 4", 14],
    ["the square root of the sum of 9 and 16", 5],
    ["raise 2 to the power of 10", 1024],
    ["Subtract 3 from 10", 7],
    ["three plus four", 7],
    ["add 1,235 and 3.5", 1238.5],
    ["Subtract 3 from 10, then multiply the result by 2.", 14],
    ["Multiply 6 by 7, then divide it by 2", 21],
  ])("are computed by calls, in the order of arithmetic: %s", (request, result) => {
    expect(solve(request, CALCULATOR)).toMatchObject({
      solved: true,
      message: `The result is ${result}.`,
    });
  });

  it.each([
    ["7 * 8 and 9 * 9"],
    ["the square root of 16 plus 9"],
    ["multiply 2 by 3 + 4"],
    ["add 2 and 3!"],
    ["10 % 3"],
  ])("that can be read in two ways, or only in part, are refused: %s", (request) => {
    expect(() => solve(request, CALCULATOR)).toThrow(Refusal);
  });

  it("are not solved if a call fails", () => {
    expect(solve("the square root of -4", CALCULATOR)).toMatchObject({
      solved: false,
      message: "It could not be done: root: a negative number has no real root.",
    });
  });
});

describe("one call", () => {
  it.each([
    [
      'Send an email to ann@example.org with the body "We are late."',
      'send_email({"recipient":"ann@example.org","body":"We are late."})',
    ],
    [
      'Translate the text "good morning" into French',
      'translate_text({"text":"good morning","target_language":"french"})',
    ],
    ["Calculate the area of a circle with radius 3", 'circleArea({"radius":3})'],
    ["perimeter of a triangle with sides 3, 4 and 5", 'trianglePerimeter({"sides":[3,4,5]})'],
  ])("takes every word and value of the request: %s", (request, call) => {
    expect(solve(request, [...CALCULATOR, ...OFFICE]).calls).toEqual([call]);
  });
});

const MOVE = tool({
  name: "move_todo",
  description: "Move a todo to another stage.",
  properties: {
    todo: { type: "integer", description: "Number of the todo" },
    stage: { type: "string", enum: ["open", "done"], description: "The new stage" },
  },
});

describe("what is more than that", () => {
  it.each([
    "Move todo 1 to done and move todo 3 to open",
    "Move todo 1 to done unless it is open",
    "Move every todo to done",
    "Move todo 1 to done, and tell Ann",
    "Tell me about our holidays",
    "Move the first todo",
  ])("is refused in a sentence, before any call: %s", (request) => {
    const asking = () => solve(request, [MOVE, ...OFFICE]);
    expect(asking).toThrow(Refusal);
    expect(asking).toThrow(/built-in planner, not a language model/);
  });
});

describe("a program", () => {
  const question = {
    request: "Subtract 3 from 10, then multiply the result by 2.",
    earlierTurns: [],
    tools: CALCULATOR.map(shown),
    groups: [],
    demonstrations: [],
    missed: [],
    searched: [],
  };
  const written = (more: object) => {
    const reply = replyToWriteProgram({ ...question, ...more });
    return "text" in reply ? reply.text.split("\n") : [];
  };

  it("need not say the group of a function", () => {
    const tools = CALCULATOR.map((one) => ({ ...shown(one), name: `math.${one.name}` }));
    expect(written({ tools })).toContain("const r0 = await math.minus({ a: 10, b: 3 });");
  });

  it("has the calls of the steps, and an answer that holds their result", () => {
    expect(written({})).toEqual([
      "```ts",
      "const r0 = await minus({ a: 10, b: 3 });",
      "const r1 = await times({ a: r0, b: 2 });",
      "return `The result is ${r1}.`;",
      "```",
    ]);
  });

  it("says what it needs, and refuses what was searched for in vain", () => {
    const tools = CALCULATOR.filter(({ name }) => name !== "times").map(shown);
    expect(written({ tools })).toEqual(["```ts", 'need("multiply two numbers");', "```"]);
    const searched = [{ phrase: "multiply two numbers", found: [] }];
    expect(() => written({ tools, searched })).toThrow(Refusal);
  });

  it("is not written again when it has failed", () => {
    const failed = { plan: "", problems: ["line 2: there is no such field"], cue: "" };
    expect(() => written({ failed })).toThrow(/line 2: there is no such field/);
  });
});

describe("a task tree", () => {
  const basics = { style: "plain" as const, depth: 0, earlierTurns: [] };

  it("splits a request into its steps, and a step no further", () => {
    const request = "Subtract 3 from 10, then multiply the result by 2.";
    const subtasks = ["subtract 3 from 10", "multiply the result of step 1 by 2"];
    const split = (task: string) => replyToDecompose({ ...basics, request, task });
    expect(split(request)).toEqual({ text: JSON.stringify({ subtasks }) });
    expect(split(subtasks[0] ?? "")).toEqual({ text: '{"subtasks":[]}' });
  });

  it("tells the results that no other part used, and is not solved if one is missing", () => {
    const results = [
      { task: "subtract 3 from 10", result: "7" },
      { task: "multiply the result of step 1 by 2", result: "14" },
    ];
    const request = "Subtract 3 from 10, then multiply the result by 2.";
    const said = (given: typeof results) => {
      const reply = replyToAggregate({ request, task: request, results: given, earlierTurns: [] });
      return "text" in reply ? (JSON.parse(reply.text) as unknown) : reply;
    };
    expect(said(results)).toEqual({ result: "The result is 14.", solved: true });
    expect(said([{ task: "subtract 3 from 10", result: "" }])).toMatchObject({ solved: false });
  });
});
