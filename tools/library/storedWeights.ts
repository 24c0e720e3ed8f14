import type { LibraryPlace } from "./records.js";
import { type SearchWeights, searchWeightsSchema, weightsOf } from "./searchWeights.js";

export interface WeightsSummary {
  /** The embedding model whose searches use them, "provider:name". */
  model: string;
  /** Number of requests that they were learned from. */
  requests: number;
  /** When they were saved, as an ISO 8601 date and time in UTC. */
  at: string;
}

export interface NewWeights {
  weights: SearchWeights;
  requests: number;
}

type OfModel = LibraryPlace & { model: string };

/** The learned weights of a library, one row for each embedding model. */
export function listWeights({ database, library }: LibraryPlace): WeightsSummary[] {
  return database
    .prepare("SELECT model, requests, at FROM search_weights WHERE library = ? ORDER BY model")
    .all(library) as WeightsSummary[];
}

/** Saves weights, replacing those of the same model. */
export function saveWeights({
  database,
  library,
  model,
  learned: { weights, requests },
}: OfModel & { learned: NewWeights }): WeightsSummary {
  const at = new Date().toISOString();
  database
    .prepare(
      `INSERT OR REPLACE INTO search_weights (library, model, requests, at, weights)
       VALUES (?, ?, ?, ?, ?)`,
    )
    .run(library, model, requests, at, JSON.stringify(weights));
  return { model, requests, at };
}

/** Removes the weights of a model; false if there were none. */
export function removeWeights({ database, library, model }: OfModel): boolean {
  return (
    database
      .prepare("DELETE FROM search_weights WHERE library = ? AND model = ?")
      .run(library, model).changes > 0
  );
}

/** The weights of a library's searches: the learned ones, or the usual ones if there are none or they are unreadable. */
export function searchWeightsOf(wanted: OfModel): SearchWeights {
  return readWeights(wanted) ?? weightsOf(wanted.model);
}

function readWeights({ database, library, model }: OfModel): SearchWeights | undefined {
  const stored = database
    .prepare("SELECT weights FROM search_weights WHERE library = ? AND model = ?")
    .pluck()
    .get(library, model) as string | undefined;
  if (stored === undefined) return undefined;
  if (latest?.stored !== stored)
    latest = { stored, weights: searchWeightsSchema.safeParse(parsed(stored)).data };
  return latest.weights;
}

/** Returning the same object tells a search that what it computed with these weights still holds. */
let latest: { stored: string; weights: SearchWeights | undefined } | undefined;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
