import { describe, expect, it } from "vitest";
import { earlierTurnsText } from "../../prompts/conversation.js";

describe("earlierTurnsText", () => {
  it("is empty when nothing was said before", () => {
    expect(earlierTurnsText([])).toBe("");
  });

  it("names who said what, in order and in their very words", () => {
    const text = earlierTurnsText([
      { role: "user", text: "What is {x}?" },
      { role: "assistant", text: "It costs $1." },
    ]);
    expect(text).toBe("The conversation so far:\nUser: What is {x}?\nAgent: It costs $1.");
  });
});
