// Files that FAISS reads (faiss/impl/index_read.cpp: "IxF2" and "IwFl", unchanged for years). We write them ourselves
// because the binding for Node takes vectors number by number, which takes minutes for a million of them, and cannot
// set how many cells a search looks at, which the file can.

/** How vectors are arranged in an index; those of a cell are side by side. */
export interface FaissLayout {
  dimension: number;
  /** The label of the first vector of each cell, and at the end the number of all vectors. */
  starts: readonly number[];
  /** Absent in an index without cells, which compares a query with all vectors. */
  cells?: {
    /** The middles of the cells, one after another. */
    centroids: Float32Array;
    /** How many cells a search looks at. */
    probed: number;
  };
}

/** Bytes of a 32-bit float, and of a 64-bit integer. */
const FLOAT = 4;
const LONG = 8;

/** The beginning of a file, up to the first vector. */
export function faissHead({ dimension, starts, cells }: FaissLayout): Buffer {
  const size = starts.at(-1) ?? 0;
  if (!cells) return flatHead(dimension, size);
  const { centroids, probed } = cells;
  const count = starts.length - 1;
  const sizes = starts.slice(1).map((end, cell) => end - (starts[cell] ?? 0));
  return Buffer.concat([
    Buffer.from("IwFl"),
    commonHead(dimension, size),
    longs([count, probed]),
    flatHead(dimension, count),
    Buffer.from(centroids.buffer, centroids.byteOffset, centroids.byteLength),
    // No table from vectors to cells.
    Buffer.from([0]),
    longs([0]),
    Buffer.from("ilar"),
    longs([count, dimension * FLOAT]),
    Buffer.from("full"),
    longs([count, ...sizes]),
  ]);
}

/** The byte at which the middles of the cells start, in a file that has cells. */
export function centroidsAt(): number {
  const common = commonHead(0, 0).length;
  return 4 + common + 2 * LONG + flatHead(0, 0).length;
}

/** What follows the vectors of a cell: their labels. */
export function cellTail({ starts }: FaissLayout, cell: number): Buffer {
  const [from = 0, to = 0] = starts.slice(cell, cell + 2);
  return longs(Array.from({ length: to - from }, (_, at) => from + at));
}

/**
 * The byte at which a vector starts, or, for the label after the last one of a cell, at which the cell's labels start.
 *
 * @param options.head bytes before the first vector
 * @param options.start label of the first vector of its cell
 */
export function vectorOffset(options: {
  head: number;
  dimension: number;
  start: number;
  label: number;
}): number {
  const { head, dimension, start, label } = options;
  return head + label * dimension * FLOAT + start * LONG;
}

function flatHead(dimension: number, size: number): Buffer {
  return Buffer.concat([
    Buffer.from("IxF2"),
    commonHead(dimension, size),
    longs([size * dimension]),
  ]);
}

/** Length and number of the vectors, two unused numbers, "trained", and L2 as the distance. */
function commonHead(dimension: number, size: number): Buffer {
  const unused = 1 << 20;
  return Buffer.concat([
    ints([dimension]),
    longs([size, unused, unused]),
    Buffer.from([1]),
    ints([1]),
  ]);
}

function ints(numbers: readonly number[]): Buffer {
  return Buffer.from(Int32Array.from(numbers).buffer);
}

function longs(numbers: readonly number[]): Buffer {
  return Buffer.from(BigInt64Array.from(numbers, BigInt).buffer);
}
