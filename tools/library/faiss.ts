import { createRequire } from "node:module";
import type { Index } from "faiss-node";
import { type PlainLayout, readPlainIndex } from "./plainIndex.js";

/** The vectors of an index file, as far as they are searched. */
export interface SearchableVectors {
  /** The numbers of the nearest vectors; negative where there are fewer than `count`. */
  search: (query: number[], count: number) => number[];
}

/**
 * Opens an index file that `writeIndex` wrote, which has to be known to be whole: FAISS ends the whole process on
 * some that are not. Where FAISS is not there, plain code finds the same, and the process is told so once.
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

/** Of fewer tools, plain code finds the nearest as fast. */
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

/** Set to any text, FAISS is not used. */
const WITHOUT_FAISS = "TULIPGRAPH_WITHOUT_FAISS";

function faissIfInstalled(): Faiss | undefined {
  try {
    if (process.env[WITHOUT_FAISS]) return undefined;
    return createRequire(import.meta.url)("faiss-node") as Faiss;
  } catch {
    // Whether the package or its native part is missing: the same command gets both.
    return undefined;
  }
}
