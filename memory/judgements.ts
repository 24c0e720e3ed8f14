import type { Database } from "../storage/sqlite.js";

/**
 * The judged calls of one tool, summed up by past request: triples of the request's number, calls and helpful
 * calls, ascending by number.
 */
export type Judgements = Uint32Array;

/** Numbers per request in {@link Judgements}. */
export const FIELDS = 3;

/** A tool with more unpacked calls than this is packed again. */
const MOST_UNPACKED = 256;

/**
 * Reads the judged calls of a tool. A tool may have tens of thousands, and reading each row from SQLite takes
 * microseconds, so they are packed into one value together with the number of the last call in it. Later calls
 * are added to it.
 */
export function readJudgements(place: { database: Database; tool: number }): Judgements {
  const packed = readPacked(place);
  const later = readLater({ ...place, ...packed });
  const judgements = merge(packed.judgements, later.judgements);
  if (later.calls > MOST_UNPACKED) pack({ ...place, judgements, through: later.through });
  return judgements;
}

function readPacked({ database, tool }: { database: Database; tool: number }): {
  through: number;
  judgements: Judgements;
} {
  const row = database
    .prepare("SELECT through, rows FROM packed_judgements WHERE tool = ?")
    .get(tool) as { through: number; rows: Buffer } | undefined;
  if (!row) return { through: 0, judgements: new Uint32Array() };
  // Copied, because the buffer may not be aligned to 32 bits.
  return { through: row.through, judgements: new Uint32Array(new Uint8Array(row.rows).buffer) };
}

function readLater(options: { database: Database; tool: number; through: number }): {
  judgements: Judgements;
  /** The number of the last call. */
  through: number;
  calls: number;
} {
  const { database, tool, through } = options;
  const rows = database
    .prepare(
      `SELECT query, count(*) AS calls, sum(helpful) AS helpful, max(number) AS last FROM usages
       WHERE tool = ? AND number > ? AND helpful IS NOT NULL GROUP BY query ORDER BY query`,
    )
    .all(tool, through) as { query: number; calls: number; helpful: number; last: number }[];
  return {
    judgements: Uint32Array.from(
      rows.flatMap(({ query, calls, helpful }) => [query, calls, helpful]),
    ),
    through: rows.reduce((latest, { last }) => Math.max(latest, last), through),
    calls: rows.reduce((sum, { calls }) => sum + calls, 0),
  };
}

/** If another process has packed more meanwhile, the next read only takes longer. */
function pack(options: {
  database: Database;
  tool: number;
  judgements: Judgements;
  through: number;
}): void {
  const { database, tool, judgements, through } = options;
  const { buffer, byteOffset, byteLength } = judgements;
  database
    .prepare("INSERT OR REPLACE INTO packed_judgements (tool, through, rows) VALUES (?, ?, ?)")
    .run(tool, through, Buffer.from(buffer, byteOffset, byteLength));
}

/** Merges two ascending lists; the counts of a request in both are added. */
function merge(a: Judgements, b: Judgements): Judgements {
  if (b.length === 0) return a;
  if (a.length === 0) return b;
  const merged = new Uint32Array(a.length + b.length);
  let length = 0;
  for (let i = 0, j = 0; i < a.length || j < b.length; length += FIELDS) {
    const ofA = a[i] ?? Infinity;
    const ofB = b[j] ?? Infinity;
    merged[length] = Math.min(ofA, ofB);
    for (let field = 1; field < FIELDS; field += 1) {
      const inA = ofA <= ofB ? (a[i + field] ?? 0) : 0;
      const inB = ofB <= ofA ? (b[j + field] ?? 0) : 0;
      merged[length + field] = inA + inB;
    }
    if (ofA <= ofB) i += FIELDS;
    if (ofB <= ofA) j += FIELDS;
  }
  return merged.slice(0, length);
}
