import { describe, expect, it } from "vitest";
import { type ParaphraseInput, paraphraseQuestion } from "../../../nodes/tasks/paraphrase.js";
import { promptOf } from "../../../nodes/shared/question.js";

const INPUT: ParaphraseInput = {
  request: "Paint the {room} for $1.",
  background: "Today is Monday.",
  earlierTurns: [],
  task: "Coat the {wall}",
  tried: ["Coat the {wall}", "Cover $&"],
  missing: "",
  earlierResults: [],
};

function textsOf(input: ParaphraseInput, problem?: string): string[] {
  return promptOf(paraphraseQuestion, { input, problem }).messages.map(({ text }) => text);
}

describe("the question for other words", () => {
  it("tells the request, the task, the wordings that found nothing, and the background", () => {
    const [system, human] = textsOf(INPUT);
    const told = [INPUT.request, INPUT.task, "- Coat the {wall}", "- Cover $&"];
    for (const text of told) expect(human).toContain(text);
    expect(system).toMatch(/Today is Monday\.$/);
  });

  it("does not repeat a task that is the request itself", () => {
    const [, human] = textsOf({ ...INPUT, task: INPUT.request, tried: [] });
    expect(human).toBe(`Task: ${INPUT.request}`);
  });

  it("tells what was said about tools that do not fit, and what is known so far", () => {
    const earlierResults = [{ task: "Area of the {wall}", result: "12" }];
    const [, human] = textsOf({ ...INPUT, missing: "no tool paints", earlierResults });
    expect(human).toContain("1. Area of the {wall}: 12");
    expect(human).toContain("no tool paints");
  });

  it("ends with the problem of the last reply, if there was one", () => {
    expect(textsOf(INPUT, "That was no JSON.")[2]).toBe("That was no JSON.");
  });
});
