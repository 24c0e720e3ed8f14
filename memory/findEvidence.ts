import type { EvidenceRow, ToolEvidence } from "../state/budget/evidence.js";
import type { Database } from "../storage/sqlite.js";
import type { EvidenceQuestion } from "./experience.js";
import type { SimilarityReader } from "./similarities.js";

/**
 * What past calls say about each candidate. BTP weighs a past request by its similarity to the present one
 * ("Budget-Constrained Tool Learning with Planning", arXiv:2402.15960). Only requests with a judged call of a
 * candidate are compared.
 */
export async function findEvidence(options: {
  database: Database;
  similaritiesOf: SimilarityReader;
  question: EvidenceQuestion;
}): Promise<ToolEvidence[]> {
  const { database, similaritiesOf, question } = options;
  const { tools, query, embeddings } = question;
  const judgements = judgementsOfTools(database, question);
  const past = pastRequests(judgements);
  if (past.length === 0) return tools.map((tool) => ({ tool, rows: [] }));
  const similarities = await similaritiesOf({ query, past, embeddings });
  return tools.map((tool, index) => {
    return { tool, rows: rowsOf(judgements[index] ?? new Uint32Array(), similarities) };
  });
}

function judgementsOfTools(database: Database, question: EvidenceQuestion): Judgements[] {
  const numberOf = database
    .prepare(
      `SELECT tools.number FROM tools JOIN libraries ON libraries.number = tools.library
       WHERE libraries.name = ? AND tools.id = ?`,
    )
    .pluck();
  return question.tools.map((id) => {
    const tool = numberOf.get(question.library, id) as number | undefined;
    return tool === undefined ? new Uint32Array() : readJudgements({ database, tool });
  });
}

/** The numbers of all past requests with a judged call of any of the tools, ascending. */
function pastRequests(judgements: readonly Judgements[]): Uint32Array {
  const last = Math.max(0, ...judgements.map((rows) => rows.at(-FIELDS) ?? 0));
  const occurs = new Uint8Array(last + 1);
  let count = 0;
  for (const rows of judgements) {
    for (let at = 0; at < rows.length; at += FIELDS) {
      const query = rows[at] ?? 0;
      count += 1 - (occurs[query] ?? 0);
      occurs[query] = 1;
    }
  }
  const past = new Uint32Array(count);
  for (let query = 0, at = 0; query <= last; query += 1) {
    if (occurs[query] === 1) past[at++] = query;
  }
  return past;
}

function rowsOf(judgements: Judgements, similarities: Float64Array): EvidenceRow[] {
  const rows: EvidenceRow[] = [];
  for (let at = 0; at < judgements.length; at += FIELDS) {
    const query = judgements[at] ?? 0;
    rows.push({
      query,
      similarity: similarities[query] ?? 0,
      calls: judgements[at + 1] ?? 0,
      helpful: judgements[at + 2] ?? 0,
    });
  }
  return rows;
}

/**
 * The judged calls of one tool, summed up by past request: triples of the request's number, calls and helpful
 * calls, ascending by number.
 */
type Judgements = Uint32Array;

/** Numbers per request in {@link Judgements}. */
const FIELDS = 3;

/** A tool with more unpacked calls than this is packed again. */
const MOST_UNPACKED = 256;

/**
 * Reads the judged calls of a tool. A tool may have tens of thousands, and reading each row from SQLite takes
 * microseconds, so they are packed into one value together with the number of the last call in it. Later calls
 * are added to it.
 */
function readJudgements(place: { database: Database; tool: number }): Judgements {
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
