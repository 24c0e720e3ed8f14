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

/** A tool to put into an index. */
export type EmbeddedTool = IndexedTool & { vector: Float32Array };

/** The index of one revision of a library. It is never changed once it is made. */
export interface SearchIndex {
  /** Number of its tools. */
  size: number;
  has: (id: string) => boolean;
  /** The ids of its tools, in no particular order; made when it is asked for. */
  ids: () => string[];
  /** The ids of the tools at some places in the order of registration; places where it has none are left out. */
  idsAt: (positions: Iterable<number>) => string[];
  /**
   * The `k` nearest tools, nearest first, ties in the order of registration. In a large library these are the
   * nearest of the cells around the query, nearly all of the nearest ones, and there may be less than `k`.
   */
  nearest: (query: { vector: readonly number[]; k: number }) => Promise<Neighbour[]>;
  /** Where some tools lie from a query; ids that it does not have are left out. */
  distances: (vector: readonly number[], ids: Iterable<string>) => Neighbour[];
  /** Some tools with their vectors; ids that it does not have are left out. */
  vectors: (ids: Iterable<string>) => EmbeddedTool[];
  /** Vectors of some tools spread evenly over all, always the same ones. */
  sample: () => readonly Float32Array[];
  /** Another index, with some of the tools taken out and then others put in. */
  changed: (change: { without: Iterable<string>; tools: readonly EmbeddedTool[] }) => SearchIndex;
  /** How many tools it has changed since it was written: each of them slows it down. */
  changes: number;
}

/** An index that has been changed by more than this is made anew; the share is that of all its tools. */
const MOST_CHANGES = { share: 0.25, tools: 2000 };

/** Whether so many changes of an index are worth less than making it anew. */
export function tooManyChanges({ size, changes }: { size: number; changes: number }): boolean {
  return changes >= Math.min(size * MOST_CHANGES.share, MOST_CHANGES.tools);
}

/**
 * Reads an index that `writeIndex` wrote. The files have to be known to be whole: FAISS ends the whole process
 * on some that are not.
 */
export function readIndex(folder: string): SearchIndex {
  return changedIndex(readWritten(folder), UNCHANGED);
}

/** An index of a few tools, which are compared with a query one by one. */
export function smallIndex(tools: readonly EmbeddedTool[]): SearchIndex {
  return changedIndex(NOTHING_WRITTEN, UNCHANGED).changed({ without: [], tools });
}

/** The index in a file. Its tools are told by their numbers. */
interface WrittenIndex extends Pick<IndexTable, "ids" | "positions"> {
  labelOf: (id: string) => number | undefined;
  labelAt: (position: number) => number | undefined;
  /** The numbers of the nearest vectors, or of nearly all of them; at most `k`. */
  search: (query: Float64Array, k: number) => number[];
  distance: (query: Float64Array, label: number) => number;
  vector: (label: number) => Float32Array;
  sample: () => readonly Float32Array[];
}

/** How many tools a sample has at most. */
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

/** Files stay open as long as their index is in use, though their folder may be gone. */
const OPEN_FILES = new FinalizationRegistry<number>(closeSync);

/** Vectors that are kept once they were read: a search asks for those of its hits more than once. */
const RECENT = 1000;

/** FAISS has the vectors in memory but gives none back, so that single ones are read from the file. */
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
      // FAISS ends the whole process when it is asked for nothing.
      if (most === 0) return [];
      // What there is too little of in the cells looked at has no number.
      return index.search([...query], most).filter((label) => label >= 0);
    },
    distance: (query, label) => distanceAt(query, read(label)),
    vector: read,
    sample: () => (sample ??= spread(ids.length).map(read)),
  };
  OPEN_FILES.register(written, file);
  return written;
}

/** Numbers spread evenly over all, so many as a sample has. */
function spread(size: number): number[] {
  const count = Math.min(size, SAMPLE);
  return Array.from({ length: count }, (_, at) => Math.floor((at * size) / count));
}

/** Where the cell of a vector begins: the last start that is not after it. */
function startBefore(starts: readonly number[], label: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= label) low = middle;
    else high = middle;
  }
  return starts[low] ?? 0;
}

/** What is different from an index in a file; few tools, for each search compares its query with all of them. */
interface Changes {
  /** Numbers of tools in the file that are gone, or are among the added. */
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

/** How many more than wanted are asked for at first, where some are gone, and by how much the number grows. */
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

/** The order of hits: the nearest first, equally near ones as they were registered. */
export function byDistance(a: Neighbour, b: Neighbour): number {
  return a.distance - b.distance || a.position - b.position;
}
