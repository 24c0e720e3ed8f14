import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { actPrompt } from "../../../nodes/acting/actPrompt.js";
import type { ActInput } from "../../../nodes/acting/actInput.js";

const TOOL = {
  name: "multiply",
  description: "Multiplies",
  parameters: { type: "object", properties: {} },
};

const EARLIER = [
  new HumanMessage("Hello"),
  new AIMessage("Hello!"),
  new HumanMessage("Three times {x} for $1?"),
];

const SINCE = [
  new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "multiply", args: {} }] }),
  new ToolMessage({ tool_call_id: "c1", content: "3" }),
];

function input(more: Partial<ActInput> = {}): ActInput {
  return {
    request: "Three times {x} for $1?",
    steps: ["Multiply by {x}", "Say $&"],
    missed: [],
    tools: [TOOL],
    observations: [],
    earlierTurns: [],
    ...more,
  };
}

function messagesOf(
  more: Partial<ActInput> = {},
  options: Partial<Parameters<typeof actPrompt>[1]> = {},
) {
  return actPrompt(input(more), { earlier: EARLIER, since: [], ...options }).messages;
}

describe("the prompt of act", () => {
  it("has the conversation, then the steps, then the calls made since, then the problem", () => {
    const messages = messagesOf({}, { since: SINCE, problem: "That was empty." });
    expect(messages.map(({ type }) => type)).toEqual([
      "system",
      "human",
      "ai",
      "human",
      "human",
      "ai",
      "tool",
      "human",
    ]);
    expect(messages.slice(1, 4)).toEqual(EARLIER);
    expect(messages[4]?.text).toContain("1. Multiply by {x}");
    expect(messages.slice(5, 7)).toEqual(SINCE);
    expect(messages.at(-1)?.text).toBe("That was empty.");
  });
});

describe("the worked example of one_shot_cot_tulip", () => {
  it("is in the system prompt, also beside the user's own instructions", () => {
    const [system] = messagesOf({ oneShot: true }, { instructions: "Be brief." });
    expect(system?.text).toMatch(/^Be brief\.\n\nExample, .*stop\(/s);
    expect(messagesOf()[0]?.text).not.toContain("Example");
  });
});

/** The text behind the conversation and the calls. */
function lastText(more: Partial<ActInput>): string {
  const messages = messagesOf({ steps: [], ...more }, { since: SINCE });
  expect(messages).toHaveLength(EARLIER.length + SINCE.length + 2);
  expect(messages.at(-1)?.type).toBe("human");
  return messages.at(-1)?.text ?? "";
}

describe("the prompt of act under a budget", () => {
  it("numbers the prices after what is left, following the calls", () => {
    const prices = { multiply: 1, divide: 0.1 + 0.2 };
    const text = lastText({ budget: { left: 12.5, unit: "units", prices } });
    expect(text).toMatch(/12\.5 units\./);
    expect(text).toMatch(/\n1\. multiply: 1 unit\n2\. divide: 0\.3 units$/);
  });
});

describe("the prompt of act in a search over steps", () => {
  const tried = {
    text: " Three first. ",
    calls: [
      { name: "multiply", args: { a: 3 }, observation: "Error: b is missing" },
      { name: "finish", args: { return_type: "give_up_and_restart" }, observation: "" },
    ],
  };

  it("lists earlier tries at this point last, with arguments and results", () => {
    const text = lastText({ search: { attempts: [tried, { text: "", calls: [] }] } });
    expect(text).toContain(
      'Try 1\nThought: Three first.\nCall: multiply({"a":3})\nResult: Error: b is missing\nCall: finish({"return_type":"give_up_and_restart"})\n\nTry 2\n(nothing)\n\n',
    );
  });
});

describe("the prompt of act for one task of a tree", () => {
  const task = { text: "Divide {it}", earlierResults: [{ task: "Multiply", result: "6 $&" }] };

  it("is one message, without the conversation, and then the calls made for the task", () => {
    const messages = messagesOf({ task }, { since: SINCE });
    expect(messages.map(({ type }) => type)).toEqual(["system", "human", "ai", "tool"]);
    expect(messages[1]?.text).toMatch(
      /^[^\n]*: Three times \{x\} for \$1\?\n\nResults of earlier tasks:\n1\. Multiply: 6 \$&\n\nTask: Divide \{it\}\n\n/,
    );
    expect(messages[1]?.text).toContain("Divide {it}");
    expect(messages[1]?.text).toContain("solved false");
  });
});

/** What is told of a plan or a program that is not followed any further. */
function leftText(plan: ActInput["plan"], more: Partial<ActInput> = {}): string {
  return messagesOf({ steps: [], plan, ...more })[4]?.text ?? "";
}

describe("the prompt of act after a program", () => {
  const observations = [{ tool: "multiply", args: {}, result: 3 }];
  const plan = { left: "line 2 failed for {x}", code: "const a = 1;\nreturn a;" };

  it("shows a program, and where it stopped", () => {
    const text = leftText(plan, { observations });
    expect(text).toContain("```ts\nconst a = 1;\nreturn a;\n```");
    expect(text).toContain("line 2 failed for {x}");
  });
});

function demonstrated(demonstrations: ActInput["demonstrations"]): string {
  return messagesOf({ demonstrations })[0]?.text ?? "";
}

describe("the prompt of act with demonstrations", () => {
  it("shows each task with its calls, their results and the answer", () => {
    const text = demonstrated([
      {
        task: "Add 1 and 2, then double it",
        calls: [
          { name: "add", args: { a: 1, b: 2 }, result: { sum: 3 } },
          { name: "double", args: { x: 3 }, result: "six" },
        ],
        answer: "It is 6.",
      },
      { task: "Greet", calls: [{ name: "greet", args: {} }] },
    ]);
    expect(text.split("\n\n").slice(-2)).toEqual([
      [
        "Example 1: Add 1 and 2, then double it",
        'Call: add({"a":1,"b":2})',
        'Result: {"sum":3}',
        'Call: double({"x":3})',
        "Result: six",
        "Answer: It is 6.",
      ].join("\n"),
      "Example 2: Greet\nCall: greet({})",
    ]);
  });
});
