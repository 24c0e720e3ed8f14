import { describe, expect, it } from "vitest";
import { phraseSearchPrompt } from "../../../nodes/finding/phraseSearchPrompt.js";
import type { PhraseSearchInput } from "../../../nodes/shared/stageInputs.js";
import { SEARCH_TOOLS } from "../../../tools/control.js";

function input(more: Partial<PhraseSearchInput> = {}): PhraseSearchInput {
  return {
    request: "Cost of {3} boxes at $& each?",
    subtasks: ["Multiply {3} by $&", "Add it up"],
    tried: [],
    earlierTurns: [],
    ...more,
  };
}

function textsOf(more: Partial<PhraseSearchInput> = {}, problem?: string) {
  const { messages } = phraseSearchPrompt(input(more), problem);
  return { roles: messages.map(({ type }) => type), texts: messages.map(({ text }) => text) };
}

describe("the prompt of phraseSearch", () => {
  it("names the tool to call, then the request and the numbered subtasks as they are", () => {
    const { roles, texts } = textsOf();
    expect(roles).toEqual(["system", "human"]);
    expect(texts[0]).toContain(SEARCH_TOOLS.name);
    expect(texts[1]).toBe(
      "The request: Cost of {3} boxes at $& each?\n\nSubtasks to find tools for, with one search or more for every subtask:\n1. Multiply {3} by $&\n2. Add it up",
    );
  });

  it("wants a call and no structured reply", () => {
    const given = input();
    const prompt = phraseSearchPrompt(given);
    expect(prompt).toMatchObject({ stage: "phraseSearch", input: given });
    expect(prompt.schema).toBeUndefined();
  });

  it("names the phrases that found nothing", () => {
    const [, text] = textsOf({ tried: ["multiply {x}", "pay $1"] }).texts;
    expect(text).toContain("These phrases found nothing");
    expect(text).toContain("“multiply {x}”, “pay $1”");
    expect(textsOf().texts[1]).not.toContain("found nothing");
  });

  it("shows the conversation before the request", () => {
    const [, text = ""] = textsOf({ earlierTurns: [{ role: "user", text: "Hello {you}" }] }).texts;
    expect(text).toMatch(/^The conversation so far:\nUser: Hello \{you\}\n\nThe request: /);
  });

  it("ends with the problem of the last reply, where there was one", () => {
    const { roles, texts } = textsOf({}, "No call of search_tools.");
    expect(roles).toEqual(["system", "human", "human"]);
    expect(texts[2]).toBe("No call of search_tools.");
  });
});

it("wants a search for every subtask, or lets some be left out where phrases have failed, never both", () => {
  const first = textsOf().texts.join("\n");
  expect(first).toMatch(/every subtask/);
  expect(first).not.toMatch(/leave a subtask out/);
  const again = textsOf({ tried: ["multiply"] }).texts.join("\n");
  expect(again).toMatch(/leave a subtask out/);
  expect(again).not.toMatch(/every (?:numbered )?subtask/);
});
