import type { Database } from "../storage/sqlite.js";
import { quantise, quantisedLength, scalarProducts, squareOf } from "./byteVectors.js";

/** The model of vectors; with another dimension it counts as another model. */
export interface VectorModel {
  /** "provider:name" */
  name: string;
  dimension: number;
}

/**
 * Vectors of this many past requests with neighbouring numbers are stored as one value; reading them one by one
 * would take many times as long.
 */
const BLOCK_SIZE = 256;

/** The known vectors of requests with neighbouring numbers. */
interface VectorBlock {
  /** 1 for requests with a vector. */
  present: Uint8Array;
  components: Int8Array;
  /** The product of each vector with itself; 0 if there is no vector. */
  squares: Float64Array;
}

/** A model's vectors of past requests. */
export interface RequestVectors {
  /** Which of these requests, given in ascending order, have no vector. */
  missing: (requests: Uint32Array) => Uint32Array;
  /** Stores vectors of unit length. */
  put: (vectors: ReadonlyMap<number, readonly number[]>) => void;
  /**
   * The cosines of a unit vector with those of the past requests, given in ascending order, indexed by request
   * number. A text without direction, such as one without words, has cosine 0.
   */
  cosines: (vector: readonly number[], past: Uint32Array) => Float64Array;
}

/**
 * Opens the vectors of a model. Blocks are read at first use and kept. If a vector seems to be missing, the
 * block is read again in case another process has added it.
 */
export function requestVectors(connect: () => Database, model: VectorModel): RequestVectors {
  const kept: (VectorBlock | undefined)[] = [];
  const productsOf = scalarProducts({
    length: quantisedLength(model.dimension),
    count: BLOCK_SIZE,
  });
  const read = (number: number) => (kept[number] = readBlock(connect(), { model, number }));
  return {
    missing: (requests) => {
      const current = new Set<number>();
      return requests.filter((request) => {
        const number = blockOf(request);
        if (has(kept[number], request)) return false;
        if (current.has(number)) return true;
        current.add(number);
        return !has(read(number), request);
      });
    },
    put: (vectors) => {
      const database = connect();
      const grown = new Map<number, VectorBlock>();
      database
        .transaction(() => {
          for (const [request, vector] of vectors) {
            const number = blockOf(request);
            const block = grown.get(number) ?? read(number) ?? emptyBlock(model);
            fill(block, { request, vector });
            grown.set(number, block);
          }
          for (const [number, block] of grown) writeBlock(database, { model, number, block });
        })
        .immediate();
      for (const [number, block] of grown) kept[number] = block;
    },
    cosines: (vector, past) => {
      const present = quantise(vector);
      const square = squareOf(present);
      const cosines = new Float64Array((past.at(-1) ?? 0) + 1);
      let compared: { number: number; squares: Float64Array; products: Int32Array } | undefined;
      for (const request of past) {
        const number = blockOf(request);
        if (compared?.number !== number) {
          const { components, squares } = kept[number] ?? emptyBlock(model);
          compared = { number, squares, products: productsOf(present, components) };
        }
        const slot = request % BLOCK_SIZE;
        const squares = square * (compared.squares[slot] ?? 0);
        cosines[request] = squares > 0 ? (compared.products[slot] ?? 0) / Math.sqrt(squares) : 0;
      }
      return cosines;
    },
  };
}

function blockOf(request: number): number {
  return Math.floor(request / BLOCK_SIZE);
}

function has(block: VectorBlock | undefined, request: number): boolean {
  return block?.present[request % BLOCK_SIZE] === 1;
}

function emptyBlock({ dimension }: VectorModel): VectorBlock {
  return {
    present: new Uint8Array(BLOCK_SIZE),
    components: new Int8Array(BLOCK_SIZE * quantisedLength(dimension)),
    squares: new Float64Array(BLOCK_SIZE),
  };
}

function fill(
  { present, components, squares }: VectorBlock,
  { request, vector }: { request: number; vector: readonly number[] },
): void {
  const slot = request % BLOCK_SIZE;
  const quantised = quantise(vector);
  components.set(quantised, slot * quantised.length);
  squares[slot] = squareOf(quantised);
  present[slot] = 1;
}

function readBlock(
  database: Database,
  { model, number }: { model: VectorModel; number: number },
): VectorBlock | undefined {
  const row = database
    .prepare(
      "SELECT present, components FROM vectors WHERE model = ? AND dimension = ? AND block = ?",
    )
    .get(model.name, model.dimension, number) as
    | { present: Buffer; components: Buffer }
    | undefined;
  if (!row) return undefined;
  const { buffer, byteOffset, byteLength } = row.components;
  const components = new Int8Array(buffer, byteOffset, byteLength);
  const length = byteLength / BLOCK_SIZE;
  const squares = Float64Array.from(row.present, (present, slot) =>
    present === 1 ? squareOf(components.subarray(slot * length, (slot + 1) * length)) : 0,
  );
  return { present: row.present, components, squares };
}

function writeBlock(
  database: Database,
  { model, number, block }: { model: VectorModel; number: number; block: VectorBlock },
): void {
  const { present, components } = block;
  database
    .prepare(
      `INSERT OR REPLACE INTO vectors (model, dimension, block, present, components)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(model.name, model.dimension, number, bytesOf(present), bytesOf(components));
}

function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array | Int8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
