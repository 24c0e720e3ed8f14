import { describe, expect, it } from "vitest";
import { identityMatrix } from "../../../../tools/library/adapter/matrix.js";
import { poolRecalls, rankPool } from "../../../../tools/library/adapter/pool.js";
import { trainAdapter } from "../../../../tools/library/adapter/trainAdapter.js";
import { directions, manneredPool, randomNumbers } from "./support.js";

const DIMENSION = 32;

/** Pools over the same 200 tools; each part asks for tools that no other part asks for. */
function manneredParts(requests: number) {
  const random = randomNumbers(7);
  const [manner = new Float64Array(DIMENSION), ...tools] = directions({
    count: 201,
    dimension: DIMENSION,
    random,
  });
  const part = (from: number, to: number, count: number) => {
    const wanted = Array.from({ length: count }, (_, at) => from + (at % (to - from)));
    return manneredPool({ tools, manner, wanted, noise: 0.8, random });
  };
  return {
    train: part(0, 140, requests),
    validation: part(140, 160, 60),
    test: part(160, 200, 80),
  };
}

function trained({ seed, requests }: { seed: number; requests: number }) {
  const parts = manneredParts(requests);
  const { train, validation } = parts;
  const random = randomNumbers(seed);
  const options = { train: [train], validation: [validation], dimension: DIMENSION, random };
  return { ...parts, ...trainAdapter(options) };
}

const TRAINED = trained({ seed: 1, requests: 800 });

function recallAt5(...[pool, weights]: Parameters<typeof rankPool>): number {
  const recalls = poolRecalls({ pool, weights, count: 5 });
  return recalls.reduce((sum, value) => sum + value, 0) / recalls.length;
}

describe("trainAdapter", () => {
  it("raises the recall of tools that it has never seen, if a matrix can", () => {
    const { test, weights, bestRound, rounds } = TRAINED;
    expect(bestRound).toBeGreaterThan(0);
    expect(recallAt5(test, weights)).toBeGreaterThan(recallAt5(test) + 0.2);
    expect(rounds.at(-1)?.loss).toBeLessThan(rounds[0]?.loss ?? 0);
  });

  it("stays at the identity if there is nothing to gain, and ends early", () => {
    const random = randomNumbers(5);
    const tools = directions({ count: 20, dimension: 4, random });
    const manner = new Float64Array(4);
    const pool = manneredPool({ tools, manner, wanted: [...tools.keys()], noise: 0, random });
    const { weights, bestRound, rounds, plainRecall } = trainAdapter({
      train: [pool],
      validation: [pool],
      dimension: 4,
      random,
    });
    expect({ bestRound, plainRecall }).toEqual({ bestRound: 0, plainRecall: 1 });
    expect(rounds.length).toBe(4);
    expect(weights).toEqual(identityMatrix(4));
  });
});

describe("the candidates of a pool", () => {
  it("are the nearest tools, ties in their order, and the identity leaves their order", () => {
    const { test } = TRAINED;
    const { requests, tools } = test;
    const cosines = tools.map((tool) =>
      tool.reduce((sum, value, at) => sum + value * (requests[0]?.vector[at] ?? 0), 0),
    );
    const nearest = [...cosines.keys()].toSorted((a, b) => (cosines[b] ?? 0) - (cosines[a] ?? 0));
    expect(requests[0]?.candidates).toEqual(nearest.slice(0, 100));
    const candidates = requests.map((request) => request.candidates);
    expect(rankPool(test, identityMatrix(DIMENSION))).toEqual(candidates);
  });
});
