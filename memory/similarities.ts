import type { Database } from "../storage/sqlite/sqlite.js";
import { type EmbeddingModel, embedTexts } from "../tools/library/vectors/embedding.js";
import type { EvidenceQuestion } from "./experience.js";
import type { EvidenceRow, ToolEvidence } from "../state/budget/toolValues.js";
import { Latest } from "../common/bounds.js";

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
  const { library, tools, query, embeddings } = question;
  const judged = database.prepare(
    `SELECT query, count(*) AS calls, sum(helpful) AS helpful FROM usages
     WHERE tool = (SELECT tools.number FROM tools JOIN libraries ON libraries.number = tools.library
       WHERE libraries.name = ? AND tools.id = ?) AND helpful IS NOT NULL
     GROUP BY query ORDER BY query`,
  );
  const judgements = tools.map((tool) => ({
    tool,
    rows: judged.all(library, tool) as Omit<EvidenceRow, "similarity">[],
  }));
  const requests = new Set(judgements.flatMap(({ rows }) => rows.map((row) => row.query)));
  if (requests.size === 0) return judgements.map(({ tool }) => ({ tool, rows: [] }));
  const past = Uint32Array.from(requests).toSorted();
  const similarities = await similaritiesOf({ query, past, embeddings });
  return judgements.map(({ tool, rows }) => ({
    tool,
    rows: rows.map((row) => ({ ...row, similarity: similarities[row.query] ?? 0 })),
  }));
}

/** Returns the cosine of the present request with each past one, indexed by the number of the past request. */
export type SimilarityReader = (question: {
  query: string;
  /** The numbers of the past requests to compare it with, ascending. */
  past: Uint32Array;
  embeddings: EmbeddingModel;
}) => Promise<Float64Array>;

/** Past requests embedded per call of the model; each batch is stored before the next. */
const BATCH_SIZE = 256;

/** Present requests whose vectors are kept, because a run asks for evidence repeatedly. */
const REQUESTS_KEPT = 256;

/**
 * Compares requests by their embeddings. Past requests without a vector of the model are embedded first.
 * Concurrent callers wait for that, so none is paid for twice.
 */
export function requestSimilarities(connect: () => Database): SimilarityReader {
  const embedRequest = requestEmbedder();
  const kept = new Map<string, Map<number, Float32Array>>();
  let underWay: Promise<unknown> = Promise.resolve();
  return async ({ query, past, embeddings }) => {
    const present = await embedRequest(query, embeddings);
    const model = { name: embeddings.name, dimension: present.length };
    const key = `${model.dimension} ${model.name}`;
    const vectors = kept.get(key) ?? new Map<number, Float32Array>();
    kept.set(key, vectors);
    const embedding = underWay.then(async () => {
      readVectors(connect(), model, missingFrom(vectors, past), vectors);
      const missing = missingFrom(vectors, past);
      for (let start = 0; start < missing.length; start += BATCH_SIZE) {
        const batch = missing.slice(start, start + BATCH_SIZE);
        await embedBatch(connect, embeddings, model.dimension, batch, vectors);
      }
    });
    // The failure is reported here; the next caller tries again.
    underWay = embedding.catch(() => undefined);
    await embedding;
    const cosines = new Float64Array((past.at(-1) ?? 0) + 1);
    for (const request of past) cosines[request] = cosine(present, vectors.get(request));
    return cosines;
  };
}

function requestEmbedder() {
  const kept = new Latest<string, number[]>(REQUESTS_KEPT);
  return async (query: string, embeddings: EmbeddingModel): Promise<number[]> => {
    const key = `${embeddings.name} ${query}`;
    const known = kept.get(key);
    if (known) return known;
    const [present = []] = await embedTexts({ model: embeddings, texts: [query] });
    kept.set(key, present);
    return present;
  };
}

function missingFrom(vectors: ReadonlyMap<number, Float32Array>, past: Uint32Array): number[] {
  return [...past].filter((request) => !vectors.has(request));
}

/** Other processes may have stored some since the last call. */
function readVectors(
  database: Database,
  { name, dimension }: { name: string; dimension: number },
  requests: readonly number[],
  into: Map<number, Float32Array>,
): void {
  const rows = database
    .prepare(
      `SELECT query, vector FROM vectors WHERE model = ? AND dimension = ?
         AND query IN (SELECT value FROM json_each(?))`,
    )
    .all(name, dimension, JSON.stringify(requests)) as { query: number; vector: Buffer }[];
  // Copied, because the bytes may not be aligned to 32 bits.
  for (const { query, vector } of rows)
    into.set(query, new Float32Array(new Uint8Array(vector).buffer));
}

async function embedBatch(
  connect: () => Database,
  model: EmbeddingModel,
  dimension: number,
  requests: readonly number[],
  into: Map<number, Float32Array>,
): Promise<void> {
  const select = connect().prepare("SELECT text FROM queries WHERE number = ?").pluck();
  const texts = requests.map((request) => select.get(request) as string);
  const embedded = await embedTexts({ model, texts, dimension });
  const database = connect();
  const insert = database.prepare(
    "INSERT OR REPLACE INTO vectors (model, dimension, query, vector) VALUES (?, ?, ?, ?)",
  );
  database
    .transaction(() => {
      for (const [at, request] of requests.entries()) {
        const vector = Float32Array.from(embedded[at] ?? []);
        insert.run(model.name, dimension, request, Buffer.from(vector.buffer));
        into.set(request, vector);
      }
    })
    .immediate();
}

/** Of two vectors of unit length; 0 for a text without direction, such as one without words. */
function cosine(one: readonly number[], other: Float32Array = new Float32Array()): number {
  let sum = 0;
  for (const [at, value] of other.entries()) sum += value * (one[at] ?? 0);
  return Math.min(sum, 1);
}
