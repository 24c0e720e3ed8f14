import { describe, expect, it } from "vitest";
import { REWRITE_SCHEMA, rewritePrompt } from "../../../eval/fineTuning/rewritePrompt.js";
import type { RewriteInput } from "../../../nodes/shared/stageInputs.js";

const INPUT: RewriteInput = {
  request: "Paint the {room} for $1.",
  background: "Today is Monday.",
  earlierTurns: [],
  taken: ["Paint the {room} for $1.", "For $1, coat the {room}."],
};

describe("the prompt of rewrite", () => {
  it("shows the request once, and the other wordings that there are", () => {
    expect(rewritePrompt(INPUT).messages[1]?.text).toBe(
      [
        "Request: Paint the {room} for $1.",
        "Wordings that there are already:\n- For $1, coat the {room}.",
      ].join("\n\n"),
    );
    const first = rewritePrompt({ ...INPUT, taken: [INPUT.request] });
    expect(first.messages[1]?.text).toBe("Request: Paint the {room} for $1.");
  });

  it("wants the request by its schema, passes its input along and tells the situation", () => {
    const prompt = rewritePrompt(INPUT);
    expect(prompt).toMatchObject({ stage: "rewrite", input: INPUT, schema: REWRITE_SCHEMA });
    expect(prompt.messages[0]?.text).toContain('{"request": "..."}');
    expect(prompt.messages[0]?.text).toMatch(/Today is Monday\.$/);
  });
});
