import { columnOf, type LibraryPlace, rowsOf } from "../records/records.js";
import { rowProducts, type Rows } from "./matrix.js";
import { fromBytes } from "../vectors/vectors.js";

export interface AdapterSummary {
  /** The embedding model whose vectors it changes, "provider:name". */
  model: string;
  /** Length of the vectors. */
  dimension: number;
  /** New with each training, and never used twice. */
  revision: number;
  /** Number of requests that it was trained on. */
  requests: number;
  /** When it was saved, as an ISO 8601 date and time in UTC. */
  at: string;
}

export interface NewAdapter {
  dimension: number;
  /** As many rows as numbers in each. */
  weights: Rows;
  requests: number;
}

const SUMMARY = "model, dimension, revision, requests, at";

/** The adapters of a library, one for each embedding model and length of vectors. */
export function listAdapters(place: LibraryPlace): AdapterSummary[] {
  const statement = `SELECT ${SUMMARY} FROM adapters WHERE library = ? ORDER BY model, dimension`;
  return rowsOf(place, statement);
}

/** Saves an adapter, replacing the one of the same model and length of vectors. */
export function saveAdapter({
  database,
  library,
  model,
  adapter,
}: LibraryPlace & { model: string; adapter: NewAdapter }): AdapterSummary {
  const { dimension, weights, requests } = adapter;
  const bytes = Buffer.from(Float32Array.from(weights.flatMap((row) => [...row])).buffer);
  const row = database
    .prepare(
      `INSERT OR REPLACE INTO adapters (library, model, dimension, requests, at, weights)
       VALUES (?, ?, ?, ?, ?, ?) RETURNING ${SUMMARY}`,
    )
    .get(library, model, dimension, requests, new Date().toISOString(), bytes);
  return row as AdapterSummary;
}

/** Removes the adapters of a model, and returns how many there were. */
export function removeAdapters(options: LibraryPlace & { model: string }): number {
  const { database, library, model } = options;
  return database
    .prepare("DELETE FROM adapters WHERE library = ? AND model = ?")
    .run(library, model).changes;
}

/** Reads the weights of a library's adapter, and keeps them in memory until they change. */
export function adapterReader() {
  let latest: { revision: number; weights: Rows } | undefined;
  return (wanted: LibraryPlace & { model: string; dimension: number }): Rows | undefined => {
    const { model, dimension, ...place } = wanted;
    const at = "FROM adapters WHERE library = ? AND model = ? AND dimension = ?";
    const [revision] = columnOf<number>(place, `SELECT revision ${at}`, model, dimension);
    if (revision === undefined) return undefined;
    if (latest?.revision === revision) return latest.weights;
    type Row = { revision: number; weights: Buffer };
    const [row] = rowsOf<Row>(place, `SELECT revision, weights ${at}`, model, dimension);
    if (!row) return undefined;
    const numbers = Float64Array.from(fromBytes(row.weights));
    const weights = Array.from({ length: dimension }, (_, at) =>
      numbers.subarray(at * dimension, (at + 1) * dimension),
    );
    latest = { revision: row.revision, weights };
    return weights;
  };
}

/** The vector of a request as changed by an adapter, of unit length; unchanged if the result is zero. */
export function adaptedVector(vector: readonly number[], weights: Rows): readonly number[] {
  const [adapted = new Float64Array()] = rowProducts([Float64Array.from(vector)], weights);
  const length = Math.hypot(...adapted);
  return length === 0 ? vector : Array.from(adapted, (value) => value / length);
}
