import { AIMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import {
  type PhraseSearchInput,
  phraseSearchQuestion,
} from "../../../nodes/finding/phraseSearch.js";
import { promptOf } from "../../../nodes/shared/question.js";
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
  it("names the tool to call, the request and the numbered subtasks as they are", () => {
    const [system, human] = textsOf();
    expect(system).toContain(SEARCH_TOOLS.name);
    expect(human).toContain("Cost of {3} boxes at $& each?");
    expect(human).toContain("\n1. Multiply {3} by $&\n2. Add it up");
  });

  it("does not repeat a request that is the only subtask", () => {
    const { request } = inputOf();
    expect(textsOf({ subtasks: [request] })[1]?.split(request)).toHaveLength(2);
  });

  it("shows the conversation before the request", () => {
    const [, text] = textsOf({ earlierTurns: [{ role: "user", text: "Hello {you}" }] });
    expect(text).toMatch(/User: Hello \{you\}\n\n/);
  });

  it("ends with the problem of the last reply, if there was one", () => {
    expect(textsOf({}, "No call of search_tools.")[2]).toBe("No call of search_tools.");
  });

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
  it("is read from its calls", () => {
    const searches = [{ subtask: 2, phrase: "add numbers" }];
    expect(read(searches)).toEqual({ value: searches });
  });

  it("may be empty only if phrases failed before", () => {
    expect(read([], { tried: ["multiply"] })).toEqual({ value: [] });
    const problem = expect.stringContaining(SEARCH_TOOLS.name);
    expect(read([])).toEqual({ problem });
    const words = new AIMessage("Nothing.");
    expect(phraseSearchQuestion.read(words, inputOf({ tried: ["multiply"] }))).toEqual({ problem });
  });

  it("may not hold more than can be searched for", () => {
    const searches = Array.from({ length: 1000 }, () => ({ subtask: 1, phrase: "add" }));
    expect(read(searches)).toEqual({ problem: expect.stringContaining("1,000") });
  });
});
