import { describe, expect, it } from "vitest";
import { type WriteQueryInput, queryQuestion } from "../../../eval/generation/nodes/writeQuery.js";
import { promptOf } from "../../../nodes/shared/question.js";

const INPUT: WriteQueryInput = {
  request: "",
  background: "Today is Monday.",
  earlierTurns: [],
  persona: "a teacher",
  steps: [],
  tools: [{ name: "add", description: "Add numbers.", parameters: { type: "object" } }],
  facts: ["U-7 (user)"],
  taken: ["Add 2 and 3."],
};

describe("the question for a person's request", () => {
  it("is answered by rules in plain sentences if there are steps, and otherwise refused", async () => {
    const steps = ["multiply 3 by 4", "Add 5 to it."];
    const given = promptOf(queryQuestion, { input: { ...INPUT, steps } });
    const request = "Multiply 3 by 4. Add 5 to it.";
    expect(await given.byRules?.()).toEqual({ text: JSON.stringify({ request }) });
    const free = promptOf(queryQuestion, { input: INPUT });
    expect(await free.byRules?.()).toMatchObject({ refusal: true });
  });
});
