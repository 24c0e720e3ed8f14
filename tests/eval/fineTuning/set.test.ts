import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FineTuningExample } from "../../../eval/fineTuning/example.js";
import { USUAL_SET, fineTuningSet } from "../../../eval/fineTuning/set.js";
import type { Demonstration } from "../../../memory/demonstrations/demonstrationStore.js";
import type { ToolRecord } from "../../../tools/tool.js";
import { demonstration } from "../../memory/demonstrations/support.js";

const NAMES = ["add", "subtract", "multiply", "divide", "greet", "stop", "a name"];

const TOOLS: ToolRecord[] = NAMES.map((name) => ({
  id: name,
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: { a: { type: "number" } } },
  source: { kind: "declared", file: "tools.jsonl" },
  effects: "read",
  version: 1,
  hash: name,
}));

/** A task with these calls and known results. */
function task(text: string, ...tools: string[]): Demonstration {
  const calls = tools.map((tool, at) => ({ tool, args: { a: at }, result: at }));
  return demonstration({ task: text, calls, answer: `answer of ${text}` });
}

function setOf(
  demonstrations: Demonstration[],
  options: Partial<Parameters<typeof fineTuningSet>[0]> = {},
) {
  return fineTuningSet({ ...USUAL_SET, tools: TOOLS, demonstrations, ...options });
}

/** A reply with one call. */
function made(id: string, name: string, args: object) {
  const call = { name, arguments: JSON.stringify(args) };
  return { role: "assistant", tool_calls: [{ id, type: "function", function: call }] };
}

function only(examples: FineTuningExample[]): FineTuningExample {
  expect(examples).toHaveLength(1);
  return examples[0] as FineTuningExample;
}

function toolNames({ tools }: FineTuningExample): string[] {
  return tools.map(({ function: { name } }) => name);
}

describe("an example of a fine-tuning set", () => {
  it("is the conversation that the agent would have had, ended by stop", () => {
    const { messages } = only(setOf([task("sum up", "add", "multiply")]).examples);
    const [system, user, ...rest] = messages;
    expect(system).toMatchObject({ role: "system", content: expect.stringMatching(/tools/) });
    expect(user).toEqual({ role: "user", content: "sum up" });
    expect(rest).toEqual([
      made("call_1", "add", { a: 0 }),
      { role: "tool", tool_call_id: "call_1", content: "0" },
      made("call_2", "multiply", { a: 1 }),
      { role: "tool", tool_call_id: "call_2", content: "1" },
      made("call_3", "stop", { message: "answer of sum up", solved: true }),
    ]);
  });

  it("ends with the last call if its result or the answer is unknown", () => {
    const { answer: _answer, ...unanswered } = task("sum up", "add");
    const unfinished = demonstration({ calls: [{ tool: "add", args: {} }], answer: "3" });
    for (const each of [unanswered, unfinished]) {
      const { messages } = only(setOf([each]).examples);
      expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant"]);
    }
  });

  it("offers what it needs, as many irrelevant tools as wanted, and stop, under legal names", () => {
    const needed = task("sum up", "a name", "add");
    const names = toolNames(only(setOf([needed], { irrelevant: 2 }).examples));
    expect(names).toHaveLength(5);
    expect(names).toEqual(expect.arrayContaining(["add", "a_name", "stop"]));
    expect(toolNames(only(setOf([needed], { irrelevant: 0 }).examples)).toSorted()).toEqual([
      "a_name",
      "add",
      "stop",
    ]);
    const all = toolNames(only(setOf([needed], { irrelevant: 99 }).examples));
    expect(new Set(all).size).toBe(NAMES.length + 1);
  });

  it("never offers more tools than the provider accepts", () => {
    const [first] = TOOLS as [ToolRecord, ...ToolRecord[]];
    const many = Array.from({ length: 300 }, (_, at) => ({
      ...first,
      id: `t${at}`,
      name: `t${at}`,
    }));
    const { examples } = setOf([task("sum up", "t7")], { tools: many, irrelevant: 500 });
    expect(toolNames(only(examples))).toHaveLength(128);
  });
});

describe("a fine-tuning set", () => {
  const TASKS = [
    ...["a", "b", "c", "d", "e", "f"].map((text) => task(text, "add")),
    ...["g", "h", "i"].map((text) => task(text, "add", "divide")),
  ];

  it("is the same for the same seed, and different for another", () => {
    const [five, again, six] = [5, 5, 6].map((seed) => setOf(TASKS, { seed, irrelevant: 3 }));
    expect(again).toEqual(five);
    expect(six).not.toEqual(five);
  });

  it("shows each copy of a task with tools in another order", () => {
    const { examples } = setOf([task("sum up", "add")], { copies: 8, irrelevant: 5 });
    expect(examples).toHaveLength(8);
    expect(new Set(examples.map((each) => toolNames(each).join())).size).toBeGreaterThan(1);
  });

  it.each([
    [0.5, 3, 3],
    [0.25, 6, 2],
    [0, 6, 0],
    [1, 0, 3],
    [undefined, 6, 3],
  ])(
    "has a share of %s tasks with several calls: %i with one, %i with more",
    (multiStep, ...wanted) => {
      const set = setOf(TASKS, { multiStep });
      expect([set.singleStep, set.multiStep]).toEqual(wanted);
      expect(set.examples).toHaveLength(set.singleStep + set.multiStep);
      expect(set.leftOut.mix).toBe(TASKS.length - set.examples.length);
    },
  );

  it("counts what it leaves out: unknown tools and unknown results between calls, but not duplicates", () => {
    const unknown = [
      { tool: "add", args: {} },
      { tool: "divide", args: {} },
    ];
    const set = setOf([
      task("a", "add"),
      { ...task("a", "add"), level: "tool", source: "run" },
      task("b", "gone", "add"),
      demonstration({ task: "c", calls: unknown }),
    ]);
    expect(set.leftOut).toEqual({ unknownTool: 1, unknownResult: 1, mix: 0 });
    expect(set.examples).toHaveLength(1);
  });

  it("calls only tools that are on offer, and answers each call before the next", () => {
    const someTools = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(someTools, fc.nat({ max: 9 }), fc.integer(), (tools, irrelevant, seed) => {
        const example = only(setOf([task("t", ...tools)], { irrelevant, seed }).examples);
        const names = toolNames(example);
        expect(new Set(names).size).toBe(names.length);
        const replies = example.messages.flatMap((message) =>
          message.role === "assistant" ? message.tool_calls : [],
        );
        const answered = example.messages.flatMap((message) =>
          message.role === "tool" ? [message.tool_call_id] : [],
        );
        for (const { function: called } of replies) expect(names).toContain(called.name);
        expect(answered).toEqual(replies.slice(0, -1).map(({ id }) => id));
        const roles = example.messages.slice(2).map(({ role }) => role);
        expect(roles).toEqual(roles.map((_, at) => (at % 2 === 0 ? "assistant" : "tool")));
      }),
    );
  });
});
