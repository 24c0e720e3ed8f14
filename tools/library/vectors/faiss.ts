import { createRequire } from "node:module";
import type { Index } from "faiss-node";
import { readPlainIndex, type PlainLayout } from "./plainIndex.js";

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
