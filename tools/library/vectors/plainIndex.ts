import { closeSync, openSync, readSync } from "node:fs";
import { distanceAt, nearestRows, queryOf } from "./distance.js";
import { centroidsAt, vectorOffset } from "./faissFile.js";
import type { SearchableVectors } from "./faiss.js";
import type { IndexTable } from "./writeIndex.js";

/** What is needed to read an index file. */
export type PlainLayout = Pick<IndexTable, "dimension" | "starts" | "head" | "probed">;

/** A file stays open as long as its index is in use, even if its folder is gone. */
const OPEN_FILES = new FinalizationRegistry<number>(closeSync);

/** Vectors read at once. */
const CHUNK_SIZE = 4096;

/**
 * Searches an index file like FAISS, without it: compares a query with all vectors, or with those of the cells around
 * it.
 */
export function readPlainIndex(path: string, layout: PlainLayout): SearchableVectors {
  const { dimension, starts, probed } = layout;
  const file = openSync(path, "r");
  const cells = probed === undefined ? undefined : readCentroids(file, layout);
  const chunk = new Float32Array(CHUNK_SIZE * dimension);
  const searchable = {
    search: (query: number[], count: number) => {
      const from = queryOf(query);
      const near = cells ? nearestRows(from, cells).slice(0, probed) : [0];
      const best = bestOf(count);
      for (const cell of near) {
        const [first = 0, end = 0] = starts.slice(cell, cell + 2);
        for (let label = first; label < end; label += CHUNK_SIZE) {
          const size = Math.min(CHUNK_SIZE, end - label);
          read({ file, into: chunk, size: size * dimension, at: offsetOf(layout, first, label) });
          for (let at = 0; at < size; at += 1) {
            best.see(label + at, distanceAt(from, chunk, at * dimension));
          }
        }
      }
      return best.labels();
    },
  };
  OPEN_FILES.register(searchable, file);
  return searchable;
}

function offsetOf({ head, dimension }: PlainLayout, start: number, label: number): number {
  return vectorOffset({ head, dimension, start, label });
}

function readCentroids(file: number, { dimension, starts }: PlainLayout): Float32Array {
  const into = new Float32Array((starts.length - 1) * dimension);
  read({ file, into, size: into.length, at: centroidsAt() });
  return into;
}

function read(options: { file: number; into: Float32Array; size: number; at: number }): void {
  const { file, into, size, at } = options;
  const bytes = Buffer.from(into.buffer, into.byteOffset, size * Float32Array.BYTES_PER_ELEMENT);
  readSync(file, bytes, 0, bytes.length, at);
}

/** Keeps the `count` nearest vectors that it sees, in order. */
function bestOf(count: number) {
  const best: { label: number; distance: number }[] = [];
  return {
    see: (label: number, distance: number) => {
      if (best.length === count && distance >= (best[count - 1]?.distance ?? 0)) return;
      let place = best.length;
      while (place > 0 && (best[place - 1]?.distance ?? 0) > distance) place -= 1;
      best.splice(place, 0, { label, distance });
      if (best.length > count) best.pop();
    },
    labels: () => best.map(({ label }) => label),
  };
}
