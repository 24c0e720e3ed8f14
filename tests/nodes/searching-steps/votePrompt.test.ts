import { describe, expect, it } from "vitest";
import type { VoteInput } from "../../../nodes/shared/stageInputs.js";
import { VOTE_SCHEMA, votePrompt } from "../../../nodes/searching-steps/votePrompt.js";

const INPUT: VoteInput = {
  request: "How long is {x} for $1?",
  background: "Today is Monday.",
  earlierTurns: [{ role: "user", text: "Hello" }],
  history: [{ text: "Start.", calls: [] }],
  first: {
    text: "",
    calls: [{ name: "measure", args: { of: "$&" }, observation: "3 m" }],
  },
  second: { text: "Nothing helps.", calls: [{ name: "finish", args: {}, observation: "" }] },
};

function question(more: Partial<VoteInput> = {}): string {
  return votePrompt({ ...INPUT, ...more }).messages[1]?.text ?? "";
}

describe("the prompt of vote", () => {
  it("shows the request, the common steps, then A and B in the order given", () => {
    expect(question()).toBe(
      [
        "The conversation so far:\nUser: Hello",
        "Request: How long is {x} for $1?",
        "The steps before both continuations:",
        "Step 1\nThought: Start.",
        'Continuation A\nCall: measure({"of":"$&"})\nResult: 3 m',
        "Continuation B\nThought: Nothing helps.\nCall: finish({})",
        "Which continuation is better, A or B?",
      ].join("\n\n"),
    );
  });

  it("speaks of no steps where the continuations are the first ones", () => {
    expect(question({ history: [] })).not.toContain("before both");
  });

  it("cuts observations to the published 1024 characters", () => {
    const long = { text: "", calls: [{ name: "f", args: {}, observation: "x".repeat(5000) }] };
    expect(/x{1000,}/.exec(question({ second: long }))?.[0]).toHaveLength(1024);
  });

  it("asks for one letter by its schema, passes its input along and tells the situation", () => {
    const prompt = votePrompt(INPUT);
    expect(prompt).toMatchObject({ stage: "vote", input: INPUT, schema: VOTE_SCHEMA });
    expect(prompt.messages[0]?.text).toContain("Today is Monday.");
    expect(VOTE_SCHEMA).toMatchObject({ properties: { better: { enum: ["A", "B"] } } });
  });
});
