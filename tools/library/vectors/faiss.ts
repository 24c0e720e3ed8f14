import { createRequire } from "node:module";
import type { Index } from "faiss-node";
import { closeSync, openSync, readSync } from "node:fs";
import { distanceAt, nearestRows, queryOf } from "./distance.js";
import { centroidsAt, vectorOffset } from "./faissFile.js";
import type { IndexTable } from "./writeIndex.js";

/** The vectors of an index file, for searching. */
export interface SearchableVectors {
  /** The labels of the nearest vectors; may be filled up with negative ones if there are fewer than `count`. */
  search: (query: number[], count: number) => number[];
}

/**
 * Opens an index file that `writeIndex` wrote, which must be known to be intact: FAISS ends the whole process on some
 * damaged files. Without FAISS, plain code finds the same, and a warning says so once.
 */
export function readVectors(file: string, layout: PlainLayout): SearchableVectors {
  const faiss = loadFaiss();
  if (!faiss) {
    if ((layout.starts.at(-1) ?? 0) > LARGE) warnOnce();
    return readPlainIndex(file, layout);
  }
  const index: Index = faiss.Index.read(file);
  return { search: (query, count) => index.search(query, count).labels };
}

type Faiss = typeof import("faiss-node");

let loaded: { faiss: Faiss | undefined } | undefined;

function loadFaiss(): Faiss | undefined {
  loaded ??= { faiss: faissIfInstalled() };
  return loaded.faiss;
}

/** With fewer tools, plain code is as fast. */
const LARGE = 5000;

let warned = false;

function warnOnce(): void {
  if (warned || process.env[WITHOUT_FAISS]) return;
  warned = true;
  process.emitWarning(
    "FAISS is not installed, so large libraries are searched in plain code, which is slower and finds the same. Install it with: npx tulipgraph setup faiss",
    { code: WITHOUT_FAISS },
  );
}

/** If this variable is set to any text, FAISS is not used. */
const WITHOUT_FAISS = "TULIPGRAPH_WITHOUT_FAISS";

function faissIfInstalled(): Faiss | undefined {
  try {
    if (process.env[WITHOUT_FAISS]) return undefined;
    return createRequire(import.meta.url)("faiss-node") as Faiss;
  } catch {
    // Whether the package or its native part is missing, the same command installs both.
    return undefined;
  }
}

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
