import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import {
  type PhraseSearchInput,
  phraseSearchQuestion,
} from "../../../nodes/finding/phraseSearch.js";
import { promptOf } from "../../../nodes/kit/question.js";
import { SEARCH_TOOLS } from "../../../tools/control.js";

function inputOf(more: Partial<PhraseSearchInput> = {}): PhraseSearchInput {
  return {
    request: "Cost of {3} boxes at $& each?",
    subtasks: ["Multiply {3} by $&", "Add it up"],
    tried: [],
    earlierTurns: [],
    ...more,
  };
}

function textsOf(more: Partial<PhraseSearchInput> = {}, problem?: string): string[] {
  const prompt = promptOf(phraseSearchQuestion, { input: inputOf(more), problem });
  return prompt.messages.map(({ text }) => text);
}

describe("the question for search phrases", () => {
  it("asks for a search for each subtask, or names what was tried and lets some be left out", () => {
    const first = textsOf().join("\n");
    expect(first).toMatch(/each subtask/);
    expect(first).not.toMatch(/leave out/i);
    const again = textsOf({ tried: ["multiply {x}", "pay $1"] }).join("\n");
    expect(again).toContain("“multiply {x}”, “pay $1”");
    expect(again).toMatch(/leave out/i);
    expect(again).not.toMatch(/each subtask/);
  });
});

function read(searches: unknown, more: Partial<PhraseSearchInput> = {}) {
  const args = { searches };
  const call = { id: "1", name: SEARCH_TOOLS.name, args, type: "tool_call" as const };
  const reply = new AIMessage({ content: "", tool_calls: [call] });
  return phraseSearchQuestion.read(reply, inputOf(more));
}

describe("a reply with search phrases", () => {
  it("may be empty only if phrases failed before", () => {
    expect(read([], { tried: ["multiply"] })).toEqual({ value: [] });
    const problem = expect.stringContaining(SEARCH_TOOLS.name);
    expect(read([])).toEqual({ problem });
    const words = new AIMessage("Nothing.");
    expect(phraseSearchQuestion.read(words, inputOf({ tried: ["multiply"] }))).toEqual({ problem });
  });
});
