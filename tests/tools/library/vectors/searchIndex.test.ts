import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { distanceAt, queryOf } from "../../../../tools/library/vectors/distance.js";
import {
  type PlainLayout,
  readPlainIndex,
  readVectors,
} from "../../../../tools/library/vectors/faiss.js";
import {
  byDistance,
  type EmbeddedTool,
  type Neighbour,
  readIndex,
  type SearchIndex,
  smallIndex,
} from "../../../../tools/library/vectors/searchIndex.js";
import { nearestTools } from "../../../../tools/library/vectors/nearest.js";
import {
  TABLE_FILE,
  VECTORS_FILE,
  writeIndex,
} from "../../../../tools/library/vectors/writeIndex.js";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const DIMENSION = 6;

/** Unit vectors around a few middles, the same for the same seed. */
function clusteredTools({ size, seed = 1 }: { size: number; seed?: number }): EmbeddedTool[] {
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const vector = (around: readonly number[], reach: number) => {
    const moved = Array.from(
      { length: DIMENSION },
      (_, at) => (around[at] ?? 0) + reach * random(),
    );
    const length = Math.hypot(...moved);
    return moved.map((value) => value / length);
  };
  const middles = Array.from({ length: 40 }, () => vector([], 1));
  return Array.from({ length: size }, (_, position) => ({
    id: `t${position}`,
    position,
    vector: Float32Array.from(vector(middles[position % 40] ?? [], 0.6)),
  }));
}

async function writtenIndex(
  tools: readonly EmbeddedTool[],
  { exactUpTo }: { exactUpTo?: number } = {},
): Promise<SearchIndex> {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-index-"));
  folders.push(folder);
  const vectorsOf = (from: number, to: number) => tools.slice(from, to).map(({ vector }) => vector);
  await writeIndex({ folder, content: { dimension: DIMENSION, tools, vectorsOf }, exactUpTo });
  return readIndex(folder);
}

function nearestOf(tools: readonly EmbeddedTool[], query: readonly number[]) {
  return tools
    .map(({ id, position, vector }) => ({
      id,
      position,
      distance: distanceAt(queryOf(query), vector),
    }))
    .toSorted(byDistance);
}

const hitOf = ({ id, distance }: Neighbour) => ({ id, distance });

const coordinate = fc.float({ min: -1, max: 1, noNaN: true });
const query = fc.array(coordinate, { minLength: DIMENSION, maxLength: DIMENSION });
const change = fc.record({
  without: fc.array(fc.nat({ max: 60 }), { maxLength: 12 }),
  tools: fc.uniqueArray(fc.nat({ max: 80 }), { maxLength: 8 }),
});

describe("an index", () => {
  it("finds after any changes what comparing the query with every tool finds", async () => {
    const written = clusteredTools({ size: 50 });
    const others = clusteredTools({ size: 81, seed: 2 });
    const index = await writtenIndex(written);
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 6 }),
        query,
        fc.integer({ min: 1, max: 90 }),
        async (changes, vector, k) => {
          let changed = index;
          const tools = new Map(written.map((tool) => [tool.id, tool]));
          for (const { without, tools: put } of changes) {
            const ids = without.map((at) => `t${at}`);
            const added = put.flatMap((at) => others[at] ?? []);
            changed = changed.changed({ without: ids, tools: added });
            for (const id of ids) tools.delete(id);
            for (const tool of added) tools.set(tool.id, tool);
          }
          const expected = nearestOf([...tools.values()], vector);
          expect(changed.size).toBe(tools.size);
          expect(new Set(changed.ids())).toEqual(new Set(tools.keys()));
          const hits = await nearestTools({ index: changed, vector, topK: k });
          expect(hits).toEqual(expected.slice(0, k).map(hitOf));
          const some = ["t3", "t60", "unknown"];
          expect(changed.distances(vector, some).toSorted(byDistance)).toEqual(
            expected.filter(({ id }) => some.includes(id)),
          );
          expect(some.filter((id) => changed.has(id))).toEqual(some.filter((id) => tools.has(id)));
        },
      ),
      { numRuns: 30 },
    );
    expect(await index.nearest({ vector: [1, 0, 0, 0, 0, 0], k: 99 })).toEqual(
      nearestOf(written, [1, 0, 0, 0, 0, 0]),
    );
  });

  it("of a few tools needs no file", async () => {
    const tools = clusteredTools({ size: 5 });
    const vector = [0, 1, 0, 0, 0, 0];
    expect(await smallIndex(tools).nearest({ vector, k: 3 })).toEqual(
      nearestOf(tools, vector).slice(0, 3),
    );
    expect(await smallIndex([]).nearest({ vector, k: 3 })).toEqual([]);
  });
});

describe("an index of many tools", () => {
  const tools = clusteredTools({ size: 3000 });
  const queries = clusteredTools({ size: 60, seed: 3 }).map(({ vector }) => [...vector]);

  it("finds nearly all of the nearest ones, each with its distance, and the same every time", async () => {
    const [index, again] = [
      await writtenIndex(tools, { exactUpTo: 100 }),
      await writtenIndex(tools, { exactUpTo: 100 }),
    ];
    let found = 0;
    for (const vector of queries) {
      const nearest = await index.nearest({ vector, k: 10 });
      const all = nearestOf(tools, vector);
      const best = new Set(all.slice(0, 10).map(({ id }) => id));
      found += nearest.filter(({ id }) => best.has(id)).length;
      const known = new Map(all.map((each) => [each.id, each]));
      expect(nearest).toEqual(
        nearest.flatMap(({ id }) => known.get(id) ?? []).toSorted(byDistance),
      );
      expect(await again.nearest({ vector, k: 10 })).toEqual(nearest);
    }
    expect(found / (10 * queries.length)).toBeGreaterThanOrEqual(0.97);
  });

  it("finds what was added since, and nothing that was removed", async () => {
    const index = await writtenIndex(tools, { exactUpTo: 100 });
    for (const vector of queries.slice(0, 10)) {
      const without = (await index.nearest({ vector, k: 30 })).map(({ id }) => id);
      const added = { id: "new", position: 5000, vector: Float32Array.from(vector) };
      const changed = index.changed({ without, tools: [added] });
      const nearest = await changed.nearest({ vector, k: 10 });
      expect(nearest[0]).toEqual({ id: "new", position: 5000, distance: 0 });
      expect(nearest).toHaveLength(10);
      expect(nearest.filter(({ id }) => without.includes(id))).toEqual([]);
    }
  });
});

describe("an index that is read without FAISS", () => {
  it.each([
    ["all vectors", { exactUpTo: 20_000 }],
    ["cells", { exactUpTo: 100 }],
  ])("finds what FAISS finds, among %s", async (_, { exactUpTo }) => {
    const tools = clusteredTools({ size: 3000 });
    await writtenIndex(tools, { exactUpTo });
    const folder = folders.at(-1) ?? "";
    const layout = JSON.parse(readFileSync(join(folder, TABLE_FILE), "utf8")) as PlainLayout;
    expect(layout.probed === undefined).toBe(exactUpTo > 3000);
    const file = join(folder, VECTORS_FILE);
    const faiss = readVectors(file, layout);
    const plain = readPlainIndex(file, layout);
    for (const { vector } of clusteredTools({ size: 20, seed: 7 })) {
      const query = [...queryOf(vector)];
      expect(plain.search(query, 10)).toEqual(faiss.search(query, 10));
    }
  });
});
