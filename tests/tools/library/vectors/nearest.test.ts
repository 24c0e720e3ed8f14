import { describe, expect, it } from "vitest";
import {
  type EmbeddedTool,
  nearestTools,
  type SearchIndex,
} from "../../../../tools/library/vectors/nearest.js";

/** A store whose tools have the given distances from a query of 0, and that prefers the last of equally near ones. */
function indexAt(distances: number[]): SearchIndex & { asked: number[] } {
  const tools = distances.map((distance, position): EmbeddedTool => {
    return { id: `t${position}`, position, vector: Float32Array.of(Math.sqrt(distance)) };
  });
  const ranked = tools.toSorted(
    (a, b) => (a.vector[0] ?? 0) - (b.vector[0] ?? 0) || b.position - a.position,
  );
  const asked: number[] = [];
  return {
    asked,
    nearest: async (_vector, k) => {
      asked.push(k);
      return { ids: ranked.slice(0, k).map(({ id }) => id), isAll: k > ranked.length };
    },
    read: (ids) => tools.filter(({ id }) => ids.includes(id)),
    sample: () => [],
  };
}

function nearestIn(index: SearchIndex, limits: { topK: number; among?: string[] }) {
  const { topK, among } = limits;
  const isAllowed = (id: string) => among?.includes(id) ?? true;
  return nearestTools({ index, vector: [0], topK, isAllowed, among });
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

  it("are found among the allowed ones even if all others are nearer", async () => {
    const index = indexAt(Array.from({ length: 1000 }, (_, position) => position / 1000));
    const hits = await nearestIn(index, { topK: 2, among: ["t999", "t998", "t997"] });
    expect(hits.map(({ id }) => id)).toEqual(["t997", "t998"]);
  });

  it("are compared one by one when few are allowed", async () => {
    const index = indexAt([3, 1, 2, 1]);
    const hits = await nearestIn(index, { topK: 2, among: ["t3", "t2", "t0", "t1"] });
    expect(hits.map(({ id }) => id)).toEqual(["t1", "t3"]);
    expect(index.asked).toEqual([]);
  });

  it.each([
    ["the store has to be asked again for them", 2000],
    ["the store does not return as many as that takes", 20_000],
  ])("are found among many allowed ones when %s", async (_case, size) => {
    const index = indexAt(Array.from({ length: size }, (_, position) => position / 1000));
    const among = Array.from({ length: 1500 }, (_, at) => `t${size - 1 - at}`);
    const hits = await nearestIn(index, { topK: 2, among });
    expect(hits.map(({ id }) => id)).toEqual([`t${size - 1500}`, `t${size - 1499}`]);
  });

  it("are none when no tool is allowed, without asking the store", async () => {
    const index = indexAt([1, 2]);
    expect(await nearestIn(index, { topK: 2, among: [] })).toEqual([]);
    expect(index.asked).toEqual([]);
  });
});
