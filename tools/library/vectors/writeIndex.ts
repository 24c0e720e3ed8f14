import { closeSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { makeCells, runningTotals } from "./distance.js";
import { cellTail, faissHead, type FaissLayout, vectorOffset } from "./faissFile.js";

/** A tool as an index knows it. */
export interface IndexedTool {
  id: string;
  /** Place in the order of registration: larger for whatever was registered later. */
  position: number;
}

/** What an index is made of. The vectors are read in parts, and more than once. */
export interface IndexContent {
  dimension: number;
  tools: readonly IndexedTool[];
  /** The vectors of the tools from one place up to, not including, another. */
  vectorsOf: (from: number, to: number) => readonly Float32Array[];
}

/** The file beside the vectors; tools are in the order of their vectors. */
export interface IndexTable extends Pick<FaissLayout, "dimension" | "starts"> {
  ids: string[];
  positions: number[];
  /** Bytes before the first vector. */
  head: number;
  /** How many cells a search looks at; absent in an index without cells. */
  probed?: number;
}

/** The files of an index. */
export const VECTORS_FILE = "faiss.index";
export const TABLE_FILE = "tools.json";

/**
 * Up to this many tools, a query is compared with each, in some 5 ms with 512 dimensions; with more, only with those in
 * the cells around it.
 */
const EXACT_UP_TO = 20_000;

/** Vectors read at once. */
const CHUNK_SIZE = 512;

/** Number of cells, times the root of the number of tools; with more cells, a search compares less and finds less. */
const CELLS_PER_ROOT = 2;

/**
 * How many cells a search looks at, times the root of their number. With 1.3, 98 % of the ten tools nearest to real
 * requests were found, among 100,000 as among a million (docs/retrieval.md).
 */
const PROBED_PER_ROOT = 2;

/** Vectors in the sample that cells are made from, for each cell. */
const SAMPLE_PER_CELL = 24;

/**
 * Writes an index into a folder, not atomically. Vectors go straight from where they are read into the file; only a
 * sample of them is kept in memory.
 *
 * @param options.exactUpTo up to this many tools, every query is compared with all of them
 */
export async function writeIndex({
  folder,
  content,
  exactUpTo = EXACT_UP_TO,
}: {
  folder: string;
  content: IndexContent;
  exactUpTo?: number;
}): Promise<void> {
  const { dimension, tools } = content;
  const { layout, cellOf } = tools.length > exactUpTo ? await divided(content) : undivided(content);
  const head = faissHead(layout);
  const { starts } = layout;
  const order = inCells(starts, cellOf);
  const offset = (cell: number, label: number) =>
    vectorOffset({ head: head.length, dimension, start: starts[cell] ?? 0, label });
  const file = openSync(join(folder, VECTORS_FILE), "wx");
  try {
    writeSync(file, head, 0, head.length, 0);
    await eachVector(content, (vector, at) => {
      const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
      writeSync(file, bytes, 0, bytes.length, offset(cellOf[at] ?? 0, order.labels[at] ?? 0));
    });
    for (const [cell, end] of layout.cells ? starts.slice(1).entries() : []) {
      const tail = cellTail(layout, cell);
      writeSync(file, tail, 0, tail.length, offset(cell, end));
    }
  } finally {
    closeSync(file);
  }
  const placed = order.tools.map((at) => tools[at]);
  const table: IndexTable = {
    dimension,
    starts,
    head: head.length,
    ...(layout.cells && { probed: layout.cells.probed }),
    ids: placed.map((tool) => tool?.id ?? ""),
    positions: placed.map((tool) => tool?.position ?? 0),
  };
  writeFileSync(join(folder, TABLE_FILE), JSON.stringify(table));
}

interface Division {
  layout: FaissLayout;
  /** The cell of each tool. */
  cellOf: Uint32Array;
}

function undivided({ dimension, tools }: IndexContent): Division {
  return {
    layout: { dimension, starts: [0, tools.length] },
    cellOf: new Uint32Array(tools.length),
  };
}

async function divided(content: IndexContent): Promise<Division> {
  const { dimension, tools } = content;
  const count = Math.round(CELLS_PER_ROOT * Math.sqrt(tools.length));
  const sample = sampleOf(content, Math.min(tools.length, count * SAMPLE_PER_CELL));
  const cells = makeCells({ sample, dimension, count });
  const cellOf = new Uint32Array(tools.length);
  const sizes = Array.from({ length: cells.centroids.length / dimension }, () => 0);
  await eachVector(content, (vector, at) => {
    const cell = cells.cellOf(vector);
    cellOf[at] = cell;
    sizes[cell] = (sizes[cell] ?? 0) + 1;
  });
  const { centroids } = cells;
  const probed = Math.round(PROBED_PER_ROOT * Math.sqrt(sizes.length));
  const layout = {
    dimension,
    starts: runningTotals(sizes),
    cells: { centroids, probed: Math.min(probed, sizes.length) },
  };
  return { layout, cellOf };
}

/** Evenly spaced vectors, one after another. */
function sampleOf(content: IndexContent, size: number): Float32Array {
  const { dimension, tools, vectorsOf } = content;
  const sample = new Float32Array(size * dimension);
  for (let at = 0; at < size; at += 1) {
    const place = Math.floor((at * tools.length) / size);
    const [vector = []] = vectorsOf(place, place + 1);
    sample.set(vector, at * dimension);
  }
  return sample;
}

/** Sorts the tools by cell, keeping their order within each: the label of each tool, and the tool of each label. */
function inCells(starts: readonly number[], cellOf: Uint32Array) {
  const next = [...starts];
  const labels = new Uint32Array(cellOf.length);
  const tools: number[] = Array.from(labels);
  for (const [at, cell] of cellOf.entries()) {
    const label = next[cell] ?? 0;
    next[cell] = label + 1;
    labels[at] = label;
    tools[label] = at;
  }
  return { labels, tools };
}

/** Reads in parts, between which other work gets its turn. */
async function eachVector(
  { tools, vectorsOf }: IndexContent,
  work: (vector: Float32Array, at: number) => void,
): Promise<void> {
  for (let from = 0; from < tools.length; from += CHUNK_SIZE) {
    const vectors = vectorsOf(from, Math.min(from + CHUNK_SIZE, tools.length));
    for (const [at, vector] of vectors.entries()) work(vector, from + at);
    await setImmediate();
  }
}
