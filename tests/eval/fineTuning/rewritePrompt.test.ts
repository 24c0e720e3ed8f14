import { describe, expect, it } from "vitest";
import { type RewriteInput, rewriteQuestion } from "../../../eval/fineTuning/rewritePrompt.js";
import { promptOf } from "../../../nodes/shared/question.js";

const INPUT: RewriteInput = {
  request: "Paint the {room} for $1.",
  background: "Today is Monday.",
  earlierTurns: [],
  taken: ["Paint the {room} for $1.", "For $1, coat the {room}."],
};

function textsOf(input: RewriteInput): string[] {
  return promptOf(rewriteQuestion, { input }).messages.map(({ text }) => text);
}

describe("the question for another wording", () => {
  it("contains the request once, and the other existing wordings", () => {
    const [, asked] = textsOf(INPUT);
    expect(asked?.split(INPUT.request)).toHaveLength(2);
    expect(asked).toContain("- For $1, coat the {room}.");
    expect(textsOf({ ...INPUT, taken: [INPUT.request] })[1]).toBe(`Request: ${INPUT.request}`);
  });

  it("contains the form of the reply and the background", () => {
    expect(textsOf(INPUT)[0]).toMatch(/\{"request": "\.\.\."\}[^]*Today is Monday\.$/);
  });

  it("is for a language model: rules refuse it", async () => {
    const { byRules } = promptOf(rewriteQuestion, { input: INPUT });
    expect(await byRules?.()).toMatchObject({
      refusal: true,
      text: expect.stringMatching(/language model/) as string,
    });
  });
});
