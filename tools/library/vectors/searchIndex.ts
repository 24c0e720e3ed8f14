import { closeSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { distanceAt, queryOf } from "./distance.js";
import { readVectors } from "./faiss.js";
import { vectorOffset } from "./faissFile.js";
import { type IndexedTool, type IndexTable, TABLE_FILE, VECTORS_FILE } from "./writeIndex.js";

/** A tool near a query; distances are squared L2, between 0 and 4 for unit vectors. */
export interface Neighbour extends IndexedTool {
  distance: number;
}

/** A tool with its vector. */
export type EmbeddedTool = IndexedTool & { vector: Float32Array };

/** The index of one revision of a library; immutable. */
export interface SearchIndex {
  /** Number of its tools. */
  size: number;
  has: (id: string) => boolean;
  /** The ids of its tools, in no particular order. */
  ids: () => string[];
  /** The ids of the tools at some places in the order of registration; empty places are left out. */
  idsAt: (positions: Iterable<number>) => string[];
  /**
   * The `k` nearest tools, nearest first, ties in the order of registration. In a large library, only the cells around
   * the query are searched, which finds nearly all of the nearest and may find fewer than `k`.
   */
  nearest: (query: { vector: readonly number[]; k: number }) => Promise<Neighbour[]>;
  /** The distances of some tools from a query; unknown ids are left out. */
  distances: (vector: readonly number[], ids: Iterable<string>) => Neighbour[];
  /** Some tools with their vectors; unknown ids are left out. */
  vectors: (ids: Iterable<string>) => EmbeddedTool[];
  /** Vectors of some tools spread evenly over all, always the same tools. */
  sample: () => readonly Float32Array[];
  /** A new index, with some of the tools removed and then others added. */
  changed: (change: { without: Iterable<string>; tools: readonly EmbeddedTool[] }) => SearchIndex;
  /** How many tools have changed since it was written; each slows it down. */
  changes: number;
}

/** An index with more changes than this is rebuilt; the share is of all its tools. */
const MOST_CHANGES = { share: 0.25, tools: 2000 };

/** Whether an index has so many changes that rebuilding it pays. */
export function tooManyChanges({ size, changes }: { size: number; changes: number }): boolean {
  return changes >= Math.min(size * MOST_CHANGES.share, MOST_CHANGES.tools);
}

/**
 * Reads an index that `writeIndex` wrote. The files must be known to be intact: FAISS ends the whole process on some
 * damaged files.
 */
export function readIndex(folder: string): SearchIndex {
  return changedIndex(readWritten(folder), UNCHANGED);
}

/** An index of few tools, which are compared with a query one by one. */
export function smallIndex(tools: readonly EmbeddedTool[]): SearchIndex {
  return changedIndex(NOTHING_WRITTEN, UNCHANGED).changed({ without: [], tools });
}

/** The index in a file. Its tools go by numbers, their labels. */
interface WrittenIndex extends Pick<IndexTable, "ids" | "positions"> {
  labelOf: (id: string) => number | undefined;
  labelAt: (position: number) => number | undefined;
  /** The labels of the nearest vectors, or of nearly all of them; at most `k`. */
  search: (query: Float64Array, k: number) => number[];
  distance: (query: Float64Array, label: number) => number;
  vector: (label: number) => Float32Array;
  sample: () => readonly Float32Array[];
}

/** Most tools in a sample. */
const SAMPLE = 256;

const NOTHING_WRITTEN: WrittenIndex = {
  ids: [],
  positions: [],
  labelOf: () => undefined,
  labelAt: () => undefined,
  search: () => [],
  distance: () => Number.NaN,
  vector: () => new Float32Array(),
  sample: () => [],
};

/** A file stays open as long as its index is in use, even if its folder is gone. */
const OPEN_FILES = new FinalizationRegistry<number>(closeSync);

/** Most vectors kept in memory; a search asks for those of its hits more than once. */
const RECENT = 1000;

/** FAISS has the vectors in memory but does not return them, so single ones are read from the file. */
function readWritten(folder: string): WrittenIndex {
  const table = JSON.parse(readFileSync(join(folder, TABLE_FILE), "utf8")) as IndexTable;
  const { dimension, starts, head, ids, positions } = table;
  const path = join(folder, VECTORS_FILE);
  const index = readVectors(path, table);
  const file = openSync(path, "r");
  let labels: ReadonlyMap<string, number> | undefined;
  let places: ReadonlyMap<number, number> | undefined;
  let sample: readonly Float32Array[] | undefined;
  const recent = new Map<number, Float32Array>();
  const read = (label: number) => {
    const known = recent.get(label);
    if (known) return known;
    const vector = new Float32Array(dimension);
    const bytes = Buffer.from(vector.buffer);
    const start = startBefore(starts, label);
    readSync(file, bytes, 0, bytes.length, vectorOffset({ head, dimension, start, label }));
    if (recent.size >= RECENT) recent.clear();
    recent.set(label, vector);
    return vector;
  };
  const written: WrittenIndex = {
    ids,
    positions,
    labelOf: (id) => {
      labels ??= new Map(ids.map((each, label) => [each, label]));
      return labels.get(id);
    },
    labelAt: (position) => {
      places ??= new Map(positions.map((each, label) => [each, label]));
      return places.get(position);
    },
    search: (query, k) => {
      const most = Math.min(k, ids.length);
      // FAISS ends the whole process if it is asked for nothing.
      if (most === 0) return [];
      // Negative labels fill up for too few vectors in the cells searched.
      return index.search([...query], most).filter((label) => label >= 0);
    },
    distance: (query, label) => distanceAt(query, read(label)),
    vector: read,
    sample: () => (sample ??= spread(ids.length).map(read)),
  };
  OPEN_FILES.register(written, file);
  return written;
}

/** The labels of a sample, spread evenly over all. */
function spread(size: number): number[] {
  const count = Math.min(size, SAMPLE);
  return Array.from({ length: count }, (_, at) => Math.floor((at * size) / count));
}

/** The label at which the cell of a vector starts. */
function startBefore(starts: readonly number[], label: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= label) low = middle;
    else high = middle;
  }
  return starts[low] ?? 0;
}

/** Differences from the index in a file; few, because each search compares its query with all of them. */
interface Changes {
  /** Labels of tools in the file that were removed or replaced. */
  removed: ReadonlySet<number>;
  added: ReadonlyMap<string, EmbeddedTool>;
}

const UNCHANGED: Changes = { removed: new Set(), added: new Map() };

function changedIndex(written: WrittenIndex, { removed, added }: Changes): SearchIndex {
  const { ids, positions } = written;
  const labelOf = (id: string) => {
    const label = written.labelOf(id);
    return label === undefined || removed.has(label) ? undefined : label;
  };
  const neighbour = (query: Float64Array, label: number): Neighbour => ({
    id: ids[label] ?? "",
    position: positions[label] ?? 0,
    distance: written.distance(query, label),
  });
  return {
    size: ids.length - removed.size + added.size,
    changes: removed.size + added.size,
    has: (id) => added.has(id) || labelOf(id) !== undefined,
    ids: () => [...ids.filter((_, label) => !removed.has(label)), ...added.keys()],
    idsAt: (wanted) => {
      const addedAt = new Map([...added.values()].map(({ id, position }) => [position, id]));
      return Array.from(wanted).flatMap((position) => {
        const label = written.labelAt(position);
        const kept = label === undefined || removed.has(label) ? undefined : ids[label];
        return addedAt.get(position) ?? kept ?? [];
      });
    },
    nearest: async ({ vector, k }) => {
      const query = queryOf(vector);
      const near = nearestLabels({ written, removed, query, k });
      const found = near.map((label) => neighbour(query, label));
      for (const tool of added.values()) found.push(addedNeighbour(query, tool));
      return found.toSorted(byDistance).slice(0, k);
    },
    distances: (vector, wanted) => {
      const query = queryOf(vector);
      return Array.from(wanted).flatMap((id) => {
        const tool = added.get(id);
        if (tool) return [addedNeighbour(query, tool)];
        const label = labelOf(id);
        return label === undefined ? [] : [neighbour(query, label)];
      });
    },
    vectors: (wanted) =>
      Array.from(wanted).flatMap((id) => {
        const tool = added.get(id);
        if (tool) return [tool];
        const label = labelOf(id);
        if (label === undefined) return [];
        return [{ id, position: positions[label] ?? 0, vector: written.vector(label) }];
      }),
    sample: () => {
      const tools = [...added.values()].slice(0, SAMPLE);
      return [...written.sample(), ...tools.map(({ vector }) => vector)];
    },
    changed: ({ without, tools }) => {
      const left = new Map(added);
      const gone = new Set(removed);
      for (const id of [...without, ...tools.map((tool) => tool.id)]) {
        left.delete(id);
        const label = written.labelOf(id);
        if (label !== undefined) gone.add(label);
      }
      for (const tool of tools) left.set(tool.id, tool);
      return changedIndex(written, { removed: gone, added: left });
    },
  };
}

/** How many more than wanted are asked for at first if some were removed, and by how much that number grows. */
const SPARE = 16;
const GROWTH = 4;

function nearestLabels({
  written,
  removed,
  query,
  k,
}: {
  written: WrittenIndex;
  removed: Changes["removed"];
  query: Float64Array;
  k: number;
}): number[] {
  for (let asked = k + Math.min(removed.size, SPARE); ; asked *= GROWTH) {
    const labels = written.search(query, asked);
    const left = labels.filter((label) => !removed.has(label));
    if (left.length >= k || labels.length < asked) return left.slice(0, k);
  }
}

function addedNeighbour(query: Float64Array, { id, position, vector }: EmbeddedTool): Neighbour {
  return { id, position, distance: distanceAt(query, vector) };
}

/** The order of hits: nearest first, ties in the order of registration. */
export function byDistance(a: Neighbour, b: Neighbour): number {
  return a.distance - b.distance || a.position - b.position;
}
