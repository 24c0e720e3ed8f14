import type { Database } from "../storage/sqlite.js";
import { lengthAt, quantise } from "./quantised.js";

/** Whose vectors: a model that changes its dimension is another one. */
export interface VectorModel {
  /** "provider:name" */
  name: string;
  dimension: number;
}

/**
 * Vectors of this many past requests, by their numbers, are one value in the file: reading them one by
 * one would take many times as long.
 */
const BLOCK_SIZE = 256;

/** The vectors of requests with neighbouring numbers, as far as they are known. */
interface VectorBlock {
  /** 1 where the request has a vector. */
  present: Uint8Array;
  components: Int8Array;
  /** Of each vector; 0 where there is none. */
  lengths: Float64Array;
}

/** The vectors of past requests that one model has made. */
export interface RequestVectors {
  /** The requests without a vector, of those given in ascending order. */
  missing: (requests: Uint32Array) => number[];
  /** Stores vectors of unit length. */
  put: (vectors: ReadonlyMap<number, readonly number[]>) => void;
  /** The place of a request's vector; undefined when it has none. */
  at: (
    request: number,
  ) => { components: Int8Array; start: number; length: number } | undefined;
}

/**
 * Opens the vectors of a model. Blocks are read at their first use and kept; what another process has
 * added to a block is found when a vector seems to be missing from it.
 */
export function requestVectors(connect: () => Database, model: VectorModel): RequestVectors {
  const kept: (VectorBlock | undefined)[] = [];
  const read = (number: number) => (kept[number] = readBlock(connect(), { model, number }));
  return {
    missing: (requests) => {
      const current = new Set<number>();
      return [...requests].filter((request) => {
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
            fill(block, { model, request, vector });
            grown.set(number, block);
          }
          for (const [number, block] of grown) writeBlock(database, { model, number, block });
        })
        .immediate();
      for (const [number, block] of grown) kept[number] = block;
    },
    at: (request) => {
      const block = kept[blockOf(request)];
      if (!block || !has(block, request)) return undefined;
      const slot = request % BLOCK_SIZE;
      const { components, lengths } = block;
      return { components, start: slot * model.dimension, length: lengths[slot] ?? 0 };
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
    components: new Int8Array(BLOCK_SIZE * dimension),
    lengths: new Float64Array(BLOCK_SIZE),
  };
}

function fill(
  block: VectorBlock,
  options: { model: VectorModel; request: number; vector: readonly number[] },
): void {
  const { model, request, vector } = options;
  const { dimension } = model;
  const slot = request % BLOCK_SIZE;
  const start = slot * dimension;
  block.components.set(quantise(vector), start);
  block.lengths[slot] = lengthAt({ components: block.components, start, dimension });
  block.present[slot] = 1;
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
  const { dimension } = model;
  const lengths = Float64Array.from(row.present, (present, slot) =>
    present === 1 ? lengthAt({ components, start: slot * dimension, dimension }) : 0,
  );
  return { present: row.present, components, lengths };
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
