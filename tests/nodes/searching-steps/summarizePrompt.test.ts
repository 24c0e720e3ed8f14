import { describe, expect, it } from "vitest";
import type { SummarizeInput } from "../../../nodes/shared/stageInputs.js";
import { ANSWER_SCHEMA, summarizePrompt } from "../../../nodes/searching-steps/summarizePrompt.js";

const INPUT: SummarizeInput = {
  request: "How long is {x}?",
  background: "Today is Monday.",
  earlierTurns: [],
  findings: [
    {
      tool: { name: "measure", description: "Measures a thing" },
      calls: [
        { args: { of: "x" }, result: { metres: 3 } },
        { args: { of: "y" }, error: "no such thing" },
        { args: {}, result: undefined },
      ],
    },
    { tool: { name: "gone", description: "" }, calls: [{ args: {}, result: "a text" }] },
  ],
  draft: "About three.",
};

describe("the prompt of summarize", () => {
  it("shows the request, and of each tool all calls with their results or errors", () => {
    expect(summarizePrompt(INPUT).messages[1]?.text).toBe(
      [
        "Request: How long is {x}?",
        [
          "Tool: measure: Measures a thing",
          'Arguments: {"of":"x"}\nResult: {"metres":3}',
          'Arguments: {"of":"y"}\nError: no such thing',
          "Arguments: {}\nResult: (none)",
        ].join("\n"),
        "Tool: gone\nArguments: {}\nResult: a text",
      ].join("\n\n"),
    );
  });

  it("does not show the answer that it replaces", () => {
    const texts = summarizePrompt(INPUT).messages.map(({ text }) => text);
    expect(texts.join()).not.toContain(INPUT.draft);
  });

  it("cuts results to the published 1024 characters", () => {
    const findings = [
      { tool: { name: "f", description: "" }, calls: [{ args: {}, result: "x".repeat(5000) }] },
    ];
    const text = summarizePrompt({ ...INPUT, findings }).messages[1]?.text ?? "";
    expect(/x{1000,}/.exec(text)?.[0]).toHaveLength(1024);
  });

  it("asks for the answer by its schema, passes its input along and tells the situation", () => {
    const prompt = summarizePrompt(INPUT);
    expect(prompt).toMatchObject({ stage: "summarize", input: INPUT, schema: ANSWER_SCHEMA });
    expect(prompt.messages[0]?.text).toContain("Today is Monday.");
  });
});
