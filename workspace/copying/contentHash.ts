import { createHash } from "node:crypto";

/** The content of a table, however it is stored. */
export interface Content {
  count: number;
  hash: string;
}

/** Counts rows and hashes their contents in the given order; equal rows of different databases have equal hashes. */
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
