import { describe, expect, it } from "vitest";
import { byDistance } from "../../../../tools/library/vectors/searchIndex.js";
import { nearestTools } from "../../../../tools/library/vectors/nearest.js";

type Searched = Parameters<typeof nearestTools>[0]["index"];

/**
 * An index whose tools have the given distances and that prefers the last of equally near ones. It finds no more than
 * `reach` of them, like an index that only searches some cells.
 */
function indexAt(
  distances: number[],
  { reach = distances.length } = {},
): Searched & { asked: number[] } {
  const all = distances.map((distance, position) => ({ id: `t${position}`, position, distance }));
  const ranked = all.toSorted((a, b) => a.distance - b.distance || b.position - a.position);
  const asked: number[] = [];
  return {
    asked,
    size: all.length,
    ids: () => all.map(({ id }) => id),
    nearest: async ({ k }) => {
      asked.push(k);
      return ranked.slice(0, Math.min(k, reach)).toSorted(byDistance);
    },
    distances: (_vector, ids) => {
      const wanted = new Set(ids);
      return all.filter(({ id }) => wanted.has(id));
    },
  };
}

function nearestIn(
  index: Searched,
  limits: { topK: number; threshold?: number; among?: string[] },
) {
  const { among, ...others } = limits;
  return nearestTools({ index, vector: [1], ...others, allowed: among && new Set(among) });
}

describe("the nearest tools", () => {
  it("are in the order of registration if equally near, whatever FAISS returns first", async () => {
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

  it("are not searched for beyond the threshold", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 5, threshold: 0.004 });
    expect(hits.map(({ id }) => id)).toEqual(["t0", "t1", "t2", "t3"]);
    expect(index.asked).toHaveLength(1);
  });

  it("are found among the allowed ones even if all others are nearer", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 2, among: ["t999", "t998", "t997"] });
    expect(hits.map(({ id }) => id)).toEqual(["t997", "t998"]);
  });

  it("are compared one by one when few are allowed", async () => {
    const index = indexAt([3, 1, 2, 1]);
    const hits = await nearestIn(index, {
      topK: 2,
      threshold: 2.5,
      among: ["t3", "t2", "t0", "t1"],
    });
    expect(hits.map(({ id }) => id)).toEqual(["t1", "t3"]);
    expect(index.asked).toEqual([]);
  });

  it("are found even if the index returns too few of the allowed ones", async () => {
    const far = Array.from({ length: 3000 }, (_, position) => position / 1000);
    const index = indexAt(far, { reach: 100 });
    const among = far.map((_, position) => `t${position}`).slice(500);
    expect((await nearestIn(index, { topK: 2, among })).map(({ id }) => id)).toEqual([
      "t500",
      "t501",
    ]);
    expect(await nearestIn(index, { topK: 150 })).toHaveLength(150);
  });

  it("are none when no tool is allowed, without asking the index", async () => {
    const index = indexAt([1, 2]);
    expect(await nearestIn(index, { topK: 2, among: [] })).toEqual([]);
    expect(index.asked).toEqual([]);
  });
});
