import { describe, expect, it } from "vitest";
import { JUDGE_SCHEMA, judgePrompt } from "../../../nodes/acting/judgePrompt.js";
import type { JudgeInput } from "../../../nodes/shared/stageInputs.js";

const REQUEST = "How warm is ${city}?\nAnswer in {kelvin}.";

function input(more: Partial<JudgeInput> = {}): JudgeInput {
  return {
    request: REQUEST,
    earlierTurns: [],
    tool: { name: "get_weather", description: "Weather of a city" },
    args: { city: "Oslo" },
    result: "4 degrees",
    ...more,
  };
}

function textsOf(more: Partial<JudgeInput> = {}) {
  return judgePrompt(input(more)).messages.map(({ text }) => text);
}

describe("the prompt of judge", () => {
  it("shows the whole request, the tool, its arguments and the result", () => {
    const { messages } = judgePrompt(input());
    expect(messages.map(({ type }) => type)).toEqual(["system", "human"]);
    expect(messages[1]?.text).toBe(
      [
        `Request: ${REQUEST}`,
        "",
        "Tool: get_weather: Weather of a city",
        'Arguments: {"city":"Oslo"}',
        "Result: 4 degrees",
      ].join("\n"),
    );
  });

  it("says what the reply is to look like, in words and as a schema", () => {
    expect(judgePrompt(input()).schema).toBe(JUDGE_SCHEMA);
    expect(textsOf()[0]).toContain('{"reason": "...", "helpful": true}');
  });

  it("passes its input along for the offline planner", () => {
    const given = input();
    expect(judgePrompt(given)).toMatchObject({ stage: "judge", input: given });
  });

  it("shows a long result in one line of 1024 characters", () => {
    const text = textsOf({ result: `a\n\nb ${"c".repeat(2000)}` })[1];
    expect(text?.endsWith(`\nResult: a b ${"c".repeat(1020)}`)).toBe(true);
  });

  it("says that a result is empty", () => {
    expect(textsOf({ result: " \n" })[1]).toMatch(/\nResult: \(empty\)$/);
  });

  it("names a tool alone where nothing else is known of it", () => {
    expect(textsOf({ tool: { name: "gone", description: "" } })[1]).toContain("\nTool: gone\n");
  });

  it("tells the situation and what was said before", () => {
    const [system, call] = textsOf({
      background: "Today is Monday",
      earlierTurns: [{ role: "user", text: "Hello" }],
    });
    expect(system).toMatch(/situation: Today is Monday$/);
    expect(call).toMatch(/^The conversation so far:\nUser: Hello\n\nRequest: /);
  });
});
