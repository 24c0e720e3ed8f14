// Files that FAISS reads (faiss/impl/index_read.cpp: "IxF2" and "IwFl", as they have been for years). They
// are written here, since its binding takes vectors number by number, which is minutes for a million of them,
// and cannot say how many cells a search looks at: the file can.

/** How vectors lie in an index: those of a cell side by side. */
export interface FaissLayout {
  dimension: number;
  /** Numbers of the first vector of each cell, and at the end that of all vectors. */
  starts: readonly number[];
  /** Absent in an index without cells, which compares a query with all vectors. */
  cells?: {
    /** The middles of the cells, one after another. */
    centroids: Float32Array;
    /** How many cells a search looks at. */
    probed: number;
  };
}

/** Bytes of a floating-point number, and of an integer of 64 bits. */
const FLOAT = 4;
const LONG = 8;

/** The beginning of a file, up to the first vector. */
export function faissHead({ dimension, starts, cells }: FaissLayout): Buffer {
  const size = starts.at(-1) ?? 0;
  if (!cells) return flatHead({ dimension, size });
  const { centroids, probed } = cells;
  const count = starts.length - 1;
  const sizes = starts.slice(1).map((end, cell) => end - (starts[cell] ?? 0));
  return Buffer.concat([
    Buffer.from("IwFl"),
    commonHead({ dimension, size }),
    longs([count, probed]),
    flatHead({ dimension, size: count }),
    Buffer.from(centroids.buffer, centroids.byteOffset, centroids.byteLength),
    // No table of the cells of vectors.
    Buffer.from([0]),
    longs([0]),
    Buffer.from("ilar"),
    longs([count, dimension * FLOAT]),
    Buffer.from("full"),
    longs([count, ...sizes]),
  ]);
}

/** The byte at which the middles of the cells begin, in a file that has cells. */
export function centroidsAt(): number {
  const common = commonHead({ dimension: 0, size: 0 }).length;
  return 4 + common + 2 * LONG + flatHead({ dimension: 0, size: 0 }).length;
}

/** What stands behind the vectors of a cell: their numbers. */
export function cellTail({ starts }: FaissLayout, cell: number): Buffer {
  const [from = 0, to = 0] = starts.slice(cell, cell + 2);
  return longs(Array.from({ length: to - from }, (_, at) => from + at));
}

/**
 * The byte at which a vector begins, or where behind the last of a cell the numbers of its vectors do.
 *
 * @param options.head bytes before the first vector
 * @param options.start number of the first vector of its cell
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

function flatHead({ dimension, size }: { dimension: number; size: number }): Buffer {
  return Buffer.concat([
    Buffer.from("IxF2"),
    commonHead({ dimension, size }),
    longs([size * dimension]),
  ]);
}

/** Length and number of the vectors, two numbers that nobody reads, "trained", and L2 as the distance. */
function commonHead({ dimension, size }: { dimension: number; size: number }): Buffer {
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
