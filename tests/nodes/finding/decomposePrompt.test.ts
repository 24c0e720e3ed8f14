import { describe, expect, it } from "vitest";
import { SUBTASKS_SCHEMA, decomposePrompt } from "../../../nodes/finding/decomposePrompt.js";
import type { DecomposeInput } from "../../../nodes/shared/stageInputs.js";

const REQUEST = "Area of a 3 by 4 room in ${unit}, {braces} and all?";

function input(more: Partial<DecomposeInput> = {}): DecomposeInput {
  return {
    style: "plain",
    request: REQUEST,
    task: REQUEST,
    depth: 0,
    earlierTurns: [],
    ...more,
  };
}

function textsOf(more: Partial<DecomposeInput> = {}, problem?: string) {
  const { messages } = decomposePrompt(input(more), problem);
  return { roles: messages.map(({ type }) => type), texts: messages.map(({ text }) => text) };
}

describe("the prompt of decompose", () => {
  it("has the instructions, then the task in the user's very words", () => {
    const { roles, texts } = textsOf();
    expect(roles).toEqual(["system", "human"]);
    expect(texts[1]).toBe(`Task: ${REQUEST}`);
  });

  it("says what the reply is to look like, in words and as a schema", () => {
    const prompt = decomposePrompt(input());
    expect(prompt.schema).toBe(SUBTASKS_SCHEMA);
    expect(prompt.messages[0]?.text).toContain('{"subtasks": ["...", "..."]}');
  });

  it("passes its input along for the offline planner", () => {
    const given = input();
    expect(decomposePrompt(given)).toMatchObject({ stage: "decompose", input: given });
  });

  it("describes the library only in the informed style", () => {
    const libraryDescription = "Tools for $5 {geometry}";
    const informed = textsOf({ style: "informed", libraryDescription }).texts[0];
    expect(informed).toContain("About the library: Tools for $5 {geometry}");
    expect(textsOf({ libraryDescription }).texts[0]).not.toContain("About the library");
  });

  it("names tools only in the primed style, and none where none were found", () => {
    const toolNames = ["multiply", "ellipse_area"];
    expect(textsOf({ style: "primed", toolNames }).texts[0]).toContain("multiply, ellipse_area");
    expect(textsOf({ toolNames }).texts[0]).not.toContain("ellipse_area");
    expect(textsOf({ style: "primed", toolNames: [] }).texts).toEqual(textsOf().texts);
  });

  it("shows a worked example only in the one-shot style, with a reply that fits the schema", () => {
    const shown = textsOf({ style: "oneShot" }).texts[0] ?? "";
    expect(textsOf().texts[0]).not.toContain("Example.");
    const reply = /^Reply: (\{.*\})$/m.exec(shown)?.[1] ?? "";
    expect(JSON.parse(reply)).toEqual({
      subtasks: [expect.any(String), expect.any(String), expect.any(String)],
    });
  });

  it("shows the conversation before the task", () => {
    const earlierTurns = [
      { role: "user" as const, text: "What is 2 + 2?" },
      { role: "assistant" as const, text: "It is $4." },
    ];
    expect(textsOf({ earlierTurns }).texts[1]).toBe(
      `The conversation so far:\nUser: What is 2 + 2?\nAgent: It is $4.\n\nTask: ${REQUEST}`,
    );
  });

  it("asks for the parts of a missed subtask, within the request as a whole", () => {
    const [system, text = ""] = textsOf({ task: "Paint the {room}", depth: 1 }).texts;
    expect(text).toContain(`The request as a whole: ${REQUEST}`);
    expect(text).toContain("No tool was found for this subtask of it: Paint the {room}");
    expect(system).toContain("reply with an empty list");
    expect(system).not.toContain("is its own only subtask");
  });

  it("ends with the problem of the last reply, where there was one", () => {
    const { roles, texts } = textsOf({}, "That was no JSON: {$1}");
    expect(roles).toEqual(["system", "human", "human"]);
    expect(texts[2]).toBe("That was no JSON: {$1}");
  });
});

function tree(more: Partial<DecomposeInput> = {}): string[] {
  return textsOf({ style: "tree", task: "Paint the {room}", depth: 2, ...more }).texts;
}

describe("the prompt of decompose for a task tree", () => {
  it("lets a task stay whole at any depth, and names tools as samples", () => {
    for (const depth of [0, 2]) {
      expect(tree({ depth })[0]).toContain("If splitting is not sensible");
    }
    expect(tree({ toolNames: ["multiply", "mix"] })[0]).toContain("multiply, mix");
    expect(tree()[0]).not.toContain("Names of some tools");
  });

  it("shows the request, the results of earlier tasks, the task, and the plans that failed", () => {
    const [, text] = tree({
      earlierTurns: [{ role: "user", text: "Hello" }],
      earlierResults: [{ task: "Area", result: "12 m² $&" }],
      failedPlans: [
        { subtasks: ["Buy {paint}", "Use it"], reason: "no tool for “Buy {paint}”" },
        { subtasks: ["Ask"], reason: "nobody is there" },
      ],
    });
    expect(text).toBe(
      [
        "The conversation so far:\nUser: Hello",
        `The request as a whole: ${REQUEST}`,
        "Results of earlier tasks:\n1. Area: 12 m² $&",
        "Task: Paint the {room}",
        "These plans for the task have failed. Find another way: other subtasks, or another order. If there is none, reply with an empty list.",
        "1. Buy {paint}\n2. Use it\nWhy it failed: no tool for “Buy {paint}”",
        "1. Ask\nWhy it failed: nobody is there",
      ].join("\n\n"),
    );
  });

  it("says nothing of results and plans where there are none, and the request once", () => {
    expect(tree({ task: REQUEST, depth: 0 })[1]).toBe(`Task: ${REQUEST}`);
  });
});
