import { describe, expect, it } from "vitest";
import { TASK_SCHEMA, paraphrasePrompt } from "../../../nodes/tasks/paraphrasePrompt.js";
import type { ParaphraseInput } from "../../../nodes/shared/stageInputs.js";

const INPUT: ParaphraseInput = {
  request: "Paint the {room} for $1.",
  background: "Today is Monday.",
  earlierTurns: [],
  task: "Coat the {wall}",
  tried: ["Coat the {wall}", "Cover $&"],
  missing: "",
  earlierResults: [],
};

it("tells paraphrase what was said of tools that do not fit, and what is known by then", () => {
  const earlierResults = [{ task: "Area of the {wall}", result: "12" }];
  const text = paraphrasePrompt({ ...INPUT, missing: "no tool paints", earlierResults }).messages[1]
    ?.text;
  expect(text).toContain("Results of earlier tasks:\n1. Area of the {wall}: 12");
  expect(text).toContain("Tools were found, and none of them fits: no tool paints");
});

describe("the prompt of paraphrase", () => {
  it("shows the request, the task, and the wordings that found nothing", () => {
    expect(paraphrasePrompt(INPUT).messages[1]?.text).toBe(
      [
        "The request as a whole: Paint the {room} for $1.",
        "Task: Coat the {wall}",
        "Wordings that found nothing, none of which to use again:\n- Coat the {wall}\n- Cover $&",
      ].join("\n\n"),
    );
  });

  it("does not say a task twice that is the request itself", () => {
    const text = paraphrasePrompt({ ...INPUT, task: INPUT.request, tried: [] }).messages[1]?.text;
    expect(text).toBe(`Task: ${INPUT.request}`);
  });

  it("wants the task by its schema, passes its input along and tells the situation", () => {
    const prompt = paraphrasePrompt(INPUT);
    expect(prompt).toMatchObject({ stage: "paraphrase", input: INPUT, schema: TASK_SCHEMA });
    expect(prompt.messages[0]?.text).toContain('{"task": "..."}');
    expect(prompt.messages[0]?.text).toMatch(/Today is Monday\.$/);
  });

  it("ends with the problem of the last reply, where there was one", () => {
    const texts = paraphrasePrompt(INPUT, "That was no JSON.").messages.map(({ text }) => text);
    expect(texts).toHaveLength(3);
    expect(texts[2]).toBe("That was no JSON.");
  });
});
