import { describe, expect, it } from "vitest";
import { RESULT_SCHEMA, aggregatePrompt } from "../../../nodes/shared/aggregatePrompt.js";
import type { AggregateInput } from "../../../nodes/shared/stageInputs.js";

const INPUT: AggregateInput = {
  request: "How much {paint} for $1?",
  background: "Today is Monday.",
  earlierTurns: [{ role: "user", text: "Hello" }],
  task: "Area of {both} walls",
  results: [
    { task: "Area of the first", result: "3 m² $&" },
    { task: "Area of the second", result: "" },
  ],
};

describe("the prompt of aggregate", () => {
  it("shows the request, the task, and the numbered results of its parts", () => {
    expect(aggregatePrompt(INPUT).messages[1]?.text).toBe(
      [
        "The conversation so far:\nUser: Hello",
        "The request as a whole: How much {paint} for $1?",
        "Task: Area of {both} walls",
        "Results of its subtasks:\n1. Area of the first: 3 m² $&\n2. Area of the second: (empty)",
      ].join("\n\n"),
    );
  });

  it("does not say a task twice that is the request itself", () => {
    const text = aggregatePrompt({ ...INPUT, task: INPUT.request }).messages[1]?.text ?? "";
    expect(text.split(INPUT.request)).toHaveLength(2);
  });

  it("wants the result by its schema, passes its input along and tells the situation", () => {
    const prompt = aggregatePrompt(INPUT);
    expect(prompt).toMatchObject({ stage: "aggregate", input: INPUT, schema: RESULT_SCHEMA });
    expect(prompt.messages[0]?.text).toContain('{"result": "...", "solved": true or false}');
    expect(prompt.messages[0]?.text).toMatch(/Today is Monday\.$/);
  });

  it("ends with the problem of the last reply, where there was one", () => {
    const texts = aggregatePrompt(INPUT, "That was no JSON.").messages.map(({ text }) => text);
    expect(texts).toHaveLength(3);
    expect(texts[2]).toBe("That was no JSON.");
  });
});
