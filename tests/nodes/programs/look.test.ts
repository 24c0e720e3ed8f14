import { AIMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import { type LookInput, lookQuestion } from "../../../nodes/programs/look.js";
import { promptOf } from "../../../nodes/shared/question.js";

const INPUT: LookInput = {
  request: "Ship what is {heavy}",
  background: "It is Monday.",
  earlierTurns: [],
  value: [{ id: "A1" }],
  question: "Is it heavy? yes or no",
};

it("tells the question with its value, and what the program is for", () => {
  const [system, human] = promptOf(lookQuestion, { input: INPUT }).messages;
  expect(system?.text).toMatch(/It is Monday\.$/);
  expect(human?.text).toMatch(
    /Ship what is \{heavy\}[^]*\[\{"id":"A1"\}\][^]*Is it heavy\? yes or no$/,
  );
});

it("takes the words of the reply as the answer, unless they are empty", () => {
  expect(lookQuestion.read(new AIMessage(" yes\n"), INPUT)).toEqual({ value: "yes" });
  expect(lookQuestion.read(new AIMessage(" "), INPUT)).toHaveProperty("problem");
});
