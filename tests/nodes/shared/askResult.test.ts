import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { type AggregateInput, aggregateQuestion } from "../../../nodes/shared/askResult.js";
import { promptOf } from "../../../nodes/shared/question.js";

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

function textsOf(input: AggregateInput, problem?: string): string[] {
  return promptOf(aggregateQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for a result", () => {
  it("shows the conversation, the request, the task, and the numbered results of its parts", () => {
    const [, human] = textsOf(INPUT);
    const told = ["User: Hello", INPUT.request, INPUT.task];
    for (const text of told) expect(human).toContain(text);
    expect(human).toContain("1. Area of the first: 3 m² $&\n2. Area of the second: (empty)");
  });

  it("does not repeat a task that is the request itself", () => {
    const [, human] = textsOf({ ...INPUT, task: INPUT.request });
    expect(human?.split(INPUT.request)).toHaveLength(2);
  });

  it("tells the situation and ends with the problem of the last reply", () => {
    const [system, , problem] = textsOf(INPUT, "That was no JSON.");
    expect(system).toMatch(/Today is Monday\.$/);
    expect(problem).toBe("That was no JSON.");
  });
});

describe("a reply with a result", () => {
  it.each([
    ['{"result": " 6 m² ", "solved": true}', true],
    ['Here: {"result": "6 m²", "solved": "false"}', false],
    ['{"result": "6 m²"}', true],
  ])("is read from %s", (reply, solved) => {
    const value = { result: "6 m²", solved };
    expect(aggregateQuestion.read(new AIMessage(reply), INPUT)).toEqual({ value });
  });

  it("is not read from words", () => {
    const read = aggregateQuestion.read(new AIMessage("6 m²"), INPUT);
    expect(read).toEqual({ problem: expect.stringContaining('"solved"') });
  });
});
