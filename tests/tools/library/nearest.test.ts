import { describe, expect, it } from "vitest";
import { nearestTools } from "../../../tools/library/nearest.js";
import type { SearchIndex } from "../../../tools/library/searchIndex.js";

type Searched = Pick<SearchIndex, "ids" | "nearest">;

/** An index whose tools lie at the given distances and that returns equally near ones in reverse. */
function indexAt(distances: number[]): Searched & { asked: number[] } {
  const all = distances.map((distance, position) => ({ id: `t${position}`, position, distance }));
  const ranked = all.toSorted((a, b) => a.distance - b.distance || b.position - a.position);
  const asked: number[] = [];
  return {
    asked,
    ids: all.map(({ id }) => id),
    nearest: async ({ k }) => {
      asked.push(k);
      return ranked.slice(0, k);
    },
  };
}

function nearestIn(
  index: Searched,
  limits: { topK: number; threshold?: number; among?: string[] },
) {
  const allowed = new Set(limits.among ?? index.ids);
  return nearestTools({ index, vector: [1], ...limits, allowed });
}

describe("the nearest tools", () => {
  it("are in the order of registration where they are equally near, whatever FAISS returns first", async () => {
    const index = indexAt([2, ...Array.from({ length: 100 }, () => 1)]);
    const hits = await nearestIn(index, { topK: 3 });
    expect(hits.map(({ id }) => id)).toEqual(["t1", "t2", "t3"]);
  });

  it("are known after one small question when they stand out", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 5 });
    expect(hits.map(({ id }) => id)).toEqual(["t0", "t1", "t2", "t3", "t4"]);
    expect(index.asked).toHaveLength(1);
    expect(index.asked[0]).toBeLessThan(50);
  });

  it("are looked for no farther than the threshold", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 5, threshold: 0.01, among: ["t999", "t3"] });
    expect(hits).toEqual([{ id: "t3", distance: 0.003 }]);
    expect(index.asked).toHaveLength(1);
  });

  it("are found among the allowed ones though all others are nearer", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 2, among: ["t999", "t998", "t997"] });
    expect(hits.map(({ id }) => id)).toEqual(["t997", "t998"]);
  });

  it("are none, without a question, when no tool is allowed", async () => {
    const index = indexAt([1, 2]);
    expect(await nearestIn(index, { topK: 2, among: [] })).toEqual([]);
    expect(index.asked).toEqual([]);
  });
});
