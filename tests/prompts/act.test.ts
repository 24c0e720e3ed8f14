import { AIMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { actPrompt } from "../../prompts/act.js";
import type { ActInput } from "../../prompts/stages.js";
import { STOP } from "../../tools/control.js";

const TOOL = {
  name: "multiply",
  description: "Multiplies",
  parameters: { type: "object", properties: {} },
};

const EARLIER = [
  new HumanMessage("Hello"),
  new AIMessage("Hello!"),
  new HumanMessage("Three times {x} for $1?"),
];

const SINCE = [
  new AIMessage({ content: "", tool_calls: [{ id: "c1", name: "multiply", args: {} }] }),
  new ToolMessage({ tool_call_id: "c1", content: "3" }),
];

function input(more: Partial<ActInput> = {}): ActInput {
  return {
    request: "Three times {x} for $1?",
    steps: ["Multiply by {x}", "Say $&"],
    missed: [],
    tools: [TOOL],
    observations: [],
    earlierTurns: [],
    ...more,
  };
}

function messagesOf(
  more: Partial<ActInput> = {},
  options: Partial<Parameters<typeof actPrompt>[1]> = {},
) {
  return actPrompt(input(more), { earlier: EARLIER, since: [], ...options }).messages;
}

describe("the prompt of act", () => {
  it("has the conversation, then the steps, then the calls made since, then the problem", () => {
    const messages = messagesOf({}, { since: SINCE, problem: "That was empty." });
    expect(messages.map(({ type }) => type)).toEqual([
      "system",
      "human",
      "ai",
      "human",
      "human",
      "ai",
      "tool",
      "human",
    ]);
    expect(messages.slice(1, 4)).toEqual(EARLIER);
    expect(messages[4]?.text).toContain("Follow these steps");
    expect(messages.slice(5, 7)).toEqual(SINCE);
    expect(messages.at(-1)?.text).toBe("That was empty.");
  });

  it("numbers the steps and leaves their words alone", () => {
    expect(messagesOf()[4]?.text).toMatch(
      /^Follow these steps [^\n]*:\n1\. Multiply by \{x\}\n2\. Say \$&$/,
    );
  });

  it("names the steps for which the library has no tool", () => {
    const text = messagesOf({ missed: ["Say $&"] })[4]?.text ?? "";
    expect(text).toMatch(/has no tool for it\.[^\n]*\n- Say \$&$/);
    expect(messagesOf()[4]?.text).not.toContain("has no tool");
  });

  it("names what has no tool also where there are no steps", () => {
    const text = messagesOf({ steps: [], missed: ["translate text"] })[4]?.text ?? "";
    expect(text).toMatch(/^The library was searched[^\n]*\n- translate text$/);
  });

  it.each([
    ["there are neither steps nor misses", { steps: [], missed: [] }],
    ["there are no tools", { tools: [] }],
  ])("has no message of steps when %s", (_when, more) => {
    expect(messagesOf(more).slice(1)).toEqual(EARLIER);
  });

  it("says how the work ends when there are tools, and nothing of tools when there are none", () => {
    expect(messagesOf()[0]?.text).toContain(`call ${STOP.name}`);
    expect(messagesOf({ tools: [] })[0]?.text).not.toContain("tool");
  });

  it.each([
    ["with tools", [TOOL]],
    ["without tools", []],
  ])("takes the user's own instructions %s", (_how, tools) => {
    const [system] = messagesOf({ tools }, { instructions: "Answer in {German}, for $0." });
    expect(system?.text).toBe("Answer in {German}, for $0.");
  });

  it("passes its input along and wants no structured reply", () => {
    const given = input();
    const prompt = actPrompt(given, { earlier: EARLIER, since: [] });
    expect(prompt).toMatchObject({ stage: "act", input: given });
    expect(prompt.schema).toBeUndefined();
  });
});
