import { createHash } from "node:crypto";
import type { Content } from "./copyPlace.js";

/** Counts rows and hashes what they hold, whatever database they come from, in the order in which they come. */
export function contentHash(rows: Iterable<Record<string, unknown>>): Content {
  const hash = createHash("sha256");
  let count = 0;
  for (const row of rows) {
    const columns = Object.keys(row).toSorted();
    hash.update(JSON.stringify(columns.map((column) => [column, plain(row[column])])));
    count += 1;
  }
  return { count, hash: hash.digest("hex") };
}

function plain(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return plain(new Uint8Array(value));
  if (value instanceof Uint8Array) return Buffer.from(value).toString("base64");
  return value ?? null;
}
