import { describe, expect, it } from "vitest";
import { sampleExperience } from "../../../../eval/benchmarks/priced/sampleExperience.js";
import { SMALL, mean, toolOf } from "./support.js";

const pastCalls = sampleExperience(SMALL, "shelf");

describe("the experience of the priced world", () => {
  it("is the same every time, for the library that it is asked for", () => {
    expect(sampleExperience(SMALL, "shelf")).toEqual(pastCalls);
    expect(new Set(pastCalls.map(({ library }) => library))).toEqual(new Set(["shelf"]));
    expect(new Set(pastCalls.map(({ id }) => id)).size).toBe(pastCalls.length);
  });

  it("comes from training requests alone", () => {
    const tested = new Set(SMALL.requests.map(({ text }) => text));
    expect(pastCalls.some(({ query }) => tested.has(query))).toBe(false);
    expect(new Set(pastCalls.map(({ query }) => query)).size).toBe(SMALL.training.length);
  });

  it("says of a call what is true in the world", () => {
    for (const { query, tool, helpful, failed, cost } of pastCalls) {
      const request = SMALL.training.find(({ text }) => text === query);
      const { facet, usefulTo, cost: price } = toolOf(tool);
      const canHelp = request?.needs.includes(facet) && usefulTo.has(request.family);
      expect(helpful && !canHelp).toBe(false);
      expect(helpful && failed).toBe(false);
      expect(cost).toBe(price);
    }
    expect(mean(pastCalls.map(({ helpful }) => Number(helpful)))).toBeGreaterThan(0.3);
  });

  it("ends a need with its first success, and gives it up after three tools", () => {
    for (const { text, needs } of SMALL.training) {
      const made = pastCalls.filter(({ query }) => query === text);
      for (const need of needs) {
        const tries = made.filter(({ tool }) => toolOf(tool).facet === need);
        const success = tries.findIndex(({ helpful }) => helpful === true);
        expect(tries.length).toBe(success < 0 ? 3 : success + 1);
      }
    }
  });

  it("holds calls of tools that serve nothing of what was asked", () => {
    const wrong = pastCalls.filter(({ tool, query }) => {
      const request = SMALL.training.find(({ text }) => text === query);
      return !request?.needs.includes(toolOf(tool).facet);
    });
    const share = wrong.length / SMALL.training.flatMap(({ needs }) => needs).length;
    expect(share).toBeGreaterThan(0.08);
    expect(share).toBeLessThan(0.22);
  });
});
