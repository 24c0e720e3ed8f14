import type { LibraryPlace } from "./records.js";
import { type SearchWeights, searchWeightsSchema, weightsOf } from "./searchWeights.js";

/** What is known of the weights that were learned for a library. */
export interface WeightsSummary {
  /** The embedding model to whose searches they belong, "provider:name". */
  model: string;
  /** Requests that they were learned from. */
  requests: number;
  /** When they were saved, as an ISO 8601 date and time in UTC. */
  at: string;
}

/** Weights to be saved. */
export interface NewWeights {
  weights: SearchWeights;
  requests: number;
}

type OfModel = LibraryPlace & { model: string };

/** The weights of a library, one row for each embedding model. */
export function listWeights({ database, library }: LibraryPlace): WeightsSummary[] {
  return database
    .prepare("SELECT model, requests, at FROM search_weights WHERE library = ? ORDER BY model")
    .all(library) as WeightsSummary[];
}

/** Saves weights in the place of those of the same model. */
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

/** Removes the weights of a model; false where there were none. */
export function removeWeights({ database, library, model }: OfModel): boolean {
  return (
    database
      .prepare("DELETE FROM search_weights WHERE library = ? AND model = ?")
      .run(library, model).changes > 0
  );
}

/** What the searches of a library weigh by: as learned for it, or as usual where nothing was or it cannot be read. */
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

/** Weights that are the same object tell a search that what it has worked out with them still holds. */
let latest: { stored: string; weights: SearchWeights | undefined } | undefined;

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
