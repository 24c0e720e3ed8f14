import { describe, expect, it } from "vitest";
import { WORLD_PARAMETERS } from "../../../../eval/benchmarks/priced/worldParameters.js";
import { declarationOf } from "../../../../eval/benchmarks/priced/pricedTools.js";
import { type PricedWorld, makeWorld } from "../../../../eval/benchmarks/priced/pricedWorld.js";
import { readNeeds, readReference, speaksOf } from "../../../../eval/simulated/readNeeds.js";
import { SMALL, mean, toolOf } from "./support.js";

const { tools, families, facets, requests, training, byReference } = SMALL;
const all = [...requests, ...training];

function shown({ tools }: PricedWorld) {
  return [...tools.values()].map(declarationOf);
}

describe("the priced world", () => {
  it("is the same whenever it is made with the same parameters, and another with another seed", () => {
    const parameters = { ...WORLD_PARAMETERS, testRequests: 20, trainingRequests: 20 };
    expect(makeWorld(parameters)).toEqual(makeWorld(parameters));
    const other = makeWorld({ ...parameters, seed: parameters.seed + 1 });
    expect(other.requests[0]?.text).not.toBe(makeWorld(parameters).requests[0]?.text);
  });

  it("has 30 families and 240 tools, four for each of 60 facets", () => {
    expect([families.size, facets.size, tools.size]).toEqual([30, 60, 240]);
    for (const facet of facets.keys()) {
      expect([...tools.values()].filter((tool) => tool.facet === facet)).toHaveLength(4);
    }
  });

  it("has prices of whole units from 1 to 10, all of which occur", () => {
    const costs = new Set([...tools.values()].map(({ cost }) => cost));
    expect([...costs].toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("has tools as reliable, useful and slow as its parameters say", () => {
    const list = [...tools.values()];
    for (const { reliability, latencyMs, errorShare } of list) {
      expect(reliability).toBeGreaterThanOrEqual(0.5);
      expect(reliability).toBeLessThanOrEqual(0.95);
      expect(latencyMs).toBeGreaterThanOrEqual(50);
      expect(latencyMs).toBeLessThanOrEqual(2000);
      expect(errorShare).toBeGreaterThanOrEqual(0.2);
      expect(errorShare).toBeLessThanOrEqual(0.8);
    }
    expect(mean(list.map(({ usefulTo }) => usefulTo.size / 3))).toBeCloseTo(0.7, 1);
  });

  it("has tools that are of use to some families of their theme and useless to others", () => {
    const mixed = [...tools.values()].filter(
      ({ usefulTo }) => usefulTo.size > 0 && usefulTo.size < 3,
    );
    expect(mixed.length).toBeGreaterThan(100);
  });

  it("shows nothing of what it hides: other reliabilities and uses change no text and no price", () => {
    const other = makeWorld({
      ...SMALL.parameters,
      usefulShare: 0.2,
      reliability: { least: 0.1, most: 0.2 },
    });
    expect(shown(other)).toEqual(shown(SMALL));
    expect(other.requests).toEqual(requests);
  });
});

describe("the requests of the priced world", () => {
  it("have a reference of their own each, by which the world finds them", () => {
    expect(byReference.size).toBe(all.length);
    for (const request of all) {
      expect(request.text).toContain(request.reference);
      expect(byReference.get(request.reference)).toBe(request);
    }
  });

  it("ask for one to three facets of their family", () => {
    for (const { needs, family } of all) {
      expect(new Set(needs).size).toBe(needs.length);
      for (const need of needs) expect(families.get(family)?.facets).toContain(need);
    }
    expect(new Set(all.map(({ needs }) => needs.length))).toEqual(new Set([1, 2, 3]));
  });

  it("name a facet in one of its wordings, so that the same need reads differently", () => {
    const said = (need: string) =>
      (facets.get(need)?.wordings ?? []).filter((wording) =>
        all.some(({ needs, text }) => needs.includes(need) && text.includes(wording)),
      );
    expect(mean([...facets.keys()].map((need) => said(need).length))).toBeGreaterThan(2);
  });

  it("offer for each need three tools that serve it and others of its theme, without repetition", () => {
    for (const { needs, candidates } of all) {
      expect(new Set(candidates).size).toBe(candidates.length);
      for (const need of needs) {
        const serving = candidates.filter((id) => toolOf(id).facet === need);
        expect(serving.length).toBeGreaterThanOrEqual(3);
      }
      const others = candidates.filter((id) => !needs.includes(toolOf(id).facet));
      expect(others.length).toBeLessThanOrEqual(2 * needs.length);
      const themes = new Set(candidates.map((id) => toolOf(id).theme));
      expect(themes.size).toBe(1);
    }
  });

  it("can be understood from their words and the descriptions of tools alone", () => {
    for (const { text, reference, needs, candidates } of all) {
      const read = readNeeds(text);
      expect(readReference(text)).toBe(reference);
      expect(read).toHaveLength(needs.length);
      for (const [index, need] of read.entries()) {
        const fitting = candidates.filter((id) => speaksOf(toolOf(id).description, need));
        const serving = candidates.filter((id) => toolOf(id).facet === needs[index]);
        expect(fitting, `${text} — ${need.text}`).toEqual(serving);
      }
    }
  });
});
