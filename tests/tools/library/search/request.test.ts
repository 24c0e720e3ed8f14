import { describe, expect, it } from "vitest";
import { readRequest } from "../../../../tools/library/search/request.js";

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

  it("has no words if it contains none", () => {
    expect(readRequest(" ?! ").terms.size).toBe(0);
  });
});
