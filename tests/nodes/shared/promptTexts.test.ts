import { describe, expect, it } from "vitest";
import { actPrompt } from "../../../nodes/acting/actPrompt.js";
import { backgroundText, earlierTurnsText } from "../../../nodes/shared/promptTexts.js";
import { decomposeQuestion } from "../../../nodes/finding/decompose.js";
import { phraseSearchQuestion } from "../../../nodes/finding/phraseSearch.js";
import { promptOf } from "../../../nodes/shared/question.js";

describe("earlierTurnsText", () => {
  it("is empty when nothing was said before", () => {
    expect(earlierTurnsText([])).toBe("");
  });

  it("names who said what, in order and word for word", () => {
    const text = earlierTurnsText([
      { role: "user", text: "What is {x}?" },
      { role: "assistant", text: "It costs $1." },
    ]);
    expect(text).toBe("The conversation so far:\nUser: What is {x}?\nAgent: It costs $1.");
  });
});

describe("the background of a run", () => {
  const shared = { request: "Do it", earlierTurns: [] };
  const prompts = (background?: string) => [
    promptOf(decomposeQuestion, {
      input: { ...shared, background, style: "plain", task: "Do it", depth: 0 },
    }),
    promptOf(phraseSearchQuestion, {
      input: { ...shared, background, subtasks: ["Do it"], tried: [] },
    }),
    actPrompt(
      { ...shared, background, steps: [], missed: [], tools: [], observations: [] },
      { instructions: "Be kind.", earlier: [], since: [] },
    ),
  ];

  it("is told at every stage, at the end of the system prompt", () => {
    for (const { messages } of prompts("It is Monday.")) {
      expect(messages[0]?.text.split("\n\n").at(-1)).toBe(backgroundText("It is Monday."));
    }
  });

  it("leaves no trace if there is none", () => {
    for (const { messages } of prompts()) {
      expect(messages[0]?.text).not.toContain("situation");
      expect(messages[0]?.text).toBe(messages[0]?.text.trim());
    }
  });
});
