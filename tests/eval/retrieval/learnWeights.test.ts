import { describe, expect, it } from "vitest";
import type { JudgedRequest } from "../../../eval/retrieval/evidence.js";
import { learnWeights, meanLoss } from "../../../eval/retrieval/learnWeights.js";
import type { Evidence } from "../../../tools/library/searchWeights.js";
import { seededRandom } from "../../../eval/statistics/random.js";

const EVEN: Evidence = {
  near: 0.5,
  nearPart: 0.5,
  words: 0.5,
  name: 0.5,
  description: 0.5,
  provider: 0.5,
};

/** Requests whose tool nearly always shares the most words; other evidence is random, and no tool has a provider. */
function wordyRequests(count: number): JudgedRequest[] {
  const random = seededRandom(7);
  return Array.from({ length: count }, () => {
    const candidates = Array.from({ length: 20 }, (_, at) => ({
      id: `tool${at}`,
      evidence: {
        near: random(),
        nearPart: random(),
        words: random() * 3,
        name: random(),
        description: random(),
        provider: 0,
      },
    }));
    const chosen = candidates.toSorted(
      (one, other) => other.evidence.words + random() * 0.3 - one.evidence.words - random() * 0.3,
    );
    return { relevant: chosen.slice(0, 1).map(({ id }) => id), candidates };
  });
}

describe("learnWeights", () => {
  it("gives more weight to evidence for needed tools, and less to other evidence", () => {
    const requests = wordyRequests(200);
    const weights = learnWeights({ sets: [requests], start: EVEN, pull: 1 });
    expect(weights.words).toBeGreaterThan(1);
    expect(weights.name).toBeLessThan(0.5);
    expect(meanLoss(requests, weights)).toBeLessThan(meanLoss(requests, EVEN));
  });

  it("does not change weights of evidence that no tool has", () => {
    const weights = learnWeights({ sets: [wordyRequests(50)], start: EVEN, pull: 1 });
    expect(weights.provider).toBeCloseTo(0.5);
  });

  it("changes the weights less if there are fewer requests", () => {
    const requests = wordyRequests(200);
    const wordsOf = (count: number) =>
      learnWeights({ sets: [requests.slice(0, count)], start: EVEN, pull: 20 }).words;
    expect(wordsOf(2)).toBeLessThan(wordsOf(20));
    expect(wordsOf(20)).toBeLessThan(wordsOf(200));
    expect(wordsOf(2)).toBeCloseTo(0.5, 0);
  });

  it("keeps the weights if requests teach nothing", () => {
    const missed = wordyRequests(5).map((request) => ({ ...request, relevant: ["elsewhere"] }));
    for (const sets of [[], [[]], [missed]]) {
      expect(learnWeights({ sets, start: EVEN, pull: 20 })).toEqual(EVEN);
    }
  });

  it("never makes a weight negative", () => {
    const requests = wordyRequests(100).map(({ candidates }) => {
      const least = candidates.toSorted((one, other) => one.evidence.near - other.evidence.near);
      return { candidates, relevant: least.slice(0, 1).map(({ id }) => id) };
    });
    expect(learnWeights({ sets: [requests], start: EVEN, pull: 0.1 }).near).toBe(0);
  });
});
