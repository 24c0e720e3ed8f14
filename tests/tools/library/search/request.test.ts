import { describe, expect, it } from "vitest";
import { embeddedText, readRequest } from "../../../../tools/library/search/request.js";
import { isContrary, traitsOf } from "../../../../tools/library/words/relatedWords.js";
import type { ToolDefinition } from "../../../../tools/tool.js";

const weightOf = (request: string, word: string) => readRequest(request).terms.get(word);

describe("a request that is searched for", () => {
  it.each([
    ["12 * 7", "multiply"],
    ["12 / 7", "divide"],
    ["3 + 4", "add"],
    ["5 - 2", "subtract"],
    ["√16", "root"],
    ["2^8", "power"],
    ["15% of 80", "percentage"],
    ["70 °F outside", "fahrenheit"],
    ["$20 in euros", "currency"],
  ])("says %j in words: %s", (request, word) => {
    expect(weightOf(request, word)).toBeGreaterThan(0);
    expect(readRequest(request).own.has(word)).toBe(false);
  });

  it.each([
    ["Make a task for Ann", "create"],
    ["Cancel my next meeting", "delete"],
    ["Lookup Ann's address", "find"],
    ["Who starred it?", "star"],
    ["Stop following Ann", "follower"],
  ])("finds by related words and other forms: %j, %s", (request, word) => {
    expect(weightOf(request, word)).toBeGreaterThan(0);
    expect(weightOf(request, word)).toBeLessThan(1);
  });

  it.each([
    ['Write "hello world" to Ann', "hello"],
    ["Close ticket PR-4711", "4711"],
    ["Mail ann@example.com today", "example"],
    ["Open https://example.com/list", "example"],
    ["The sum of 17 and 25", "17"],
    ["What is in the folder /home/ann/notes?", "note"],
    ["Read C:\\\\Users\\\\ann\\\\diary.txt", "diary"],
    ["What does ~/plans/may.md say?", "may"],
  ])("gives little weight to values: %j, %s", (request, word) => {
    expect(weightOf(request, word)).toBeGreaterThan(0);
    expect(weightOf(request, word)).toBeLessThan(0.5);
  });

  it("gives its full weight to a word that also occurs outside of values", () => {
    expect(weightOf('Delete the task "delete"', "delete")).toBe(1);
  });

  it.each([
    ["Who am I?", "user"],
    ["Get rid of it", "delete"],
    ["Set up a meeting", "create"],
  ])("finds by what several words mean together: %j, %s", (request, word) => {
    expect(weightOf(request, word)).toBe(1);
  });

  it.each([
    ["Read ~/plans/may.md", "file"],
    ["What is in /home/ann/notes?", "folder"],
  ])("says what a path leads to: %s, %s", (request, word) => {
    expect(weightOf(request, word)).toBe(1);
    expect(weightOf(request, "path")).toBeGreaterThan(0);
  });

  it("has what a file is asked about read, but not what is done to a file", () => {
    expect(weightOf("Who wrote ~/plans/may.md?", "read")).toBeGreaterThan(0);
    expect(weightOf("Delete ~/plans/may.md", "read")).toBeUndefined();
    expect(weightOf("Who wrote ~/plans/?", "content")).toBeUndefined();
  });

  it.each([
    ["What is in the folder /home/ann/notes?", "What is in the folder ?"],
    ["Compare ./old.csv with ../new.csv.", "Compare file with file."],
    ["Type /help in the channel", "Type /help in the channel"],
    ["Call GET /users/list", "Call GET /users/list"],
    ["Cheese and/or ham, 3/4 of it", "Cheese and/or ham, 3/4 of it"],
  ])("is embedded without the words of its paths: %s", (request, embedded) => {
    expect(embeddedText(request)).toBe(embedded);
  });

  it("that something be remembered asks for other tools than those that delete", () => {
    const forgets = {
      name: "delete_observations",
      description: "Deletes what is known",
      parameters: {},
    };
    const asked = readRequest("Remember that Ann likes tea").deeds;
    expect(isContrary(traitsOf(forgets as ToolDefinition), asked)).toBe(true);
  });

  it("has no words if it contains none", () => {
    expect(readRequest(" ?! ").terms.size).toBe(0);
  });
});
