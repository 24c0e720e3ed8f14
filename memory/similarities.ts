import type { Database } from "../storage/sqlite.js";
import { embedTexts } from "../tools/library/vectors/embedding.js";
import type { NamedEmbeddings } from "./experience.js";
import { type RequestVectors, requestVectors } from "./requestVectors.js";

/** A present request, and the numbers of the past requests to compare it with, ascending. */
export interface SimilarityQuestion {
  query: string;
  past: Uint32Array;
  embeddings: NamedEmbeddings;
}

/** Returns the cosine of the present request with each past one, indexed by the number of the past request. */
export type SimilarityReader = (question: SimilarityQuestion) => Promise<Float64Array>;

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
  const vectorsOf = openedVectors(connect);
  let underWay: Promise<unknown> = Promise.resolve();
  return async ({ query, past, embeddings }) => {
    const present = await embedRequest({ query, embeddings });
    const model = { name: embeddings.name, dimension: present.length };
    const vectors = vectorsOf(model);
    const embedding = underWay.then(
      async () => await embedMissing({ connect, vectors, past, embeddings, ...model }),
    );
    // The failure is reported here; the next caller tries again.
    underWay = embedding.catch(() => undefined);
    await embedding;
    return vectors.cosines(present, past);
  };
}

function requestEmbedder() {
  const kept = new Map<string, number[]>();
  return async ({ query, embeddings }: Omit<SimilarityQuestion, "past">): Promise<number[]> => {
    const key = `${embeddings.name} ${query}`;
    const known = kept.get(key);
    if (known) return known;
    const model = { name: embeddings.name, embeddings: embeddings.model };
    const [present = []] = await embedTexts({ model, texts: [query] });
    const [oldest] = kept.keys();
    if (kept.size >= REQUESTS_KEPT && oldest !== undefined) kept.delete(oldest);
    kept.set(key, present);
    return present;
  };
}

function openedVectors(connect: () => Database) {
  const opened = new Map<string, RequestVectors>();
  return (model: { name: string; dimension: number }): RequestVectors => {
    const key = `${model.dimension} ${model.name}`;
    const vectors = opened.get(key) ?? requestVectors(connect, model);
    opened.set(key, vectors);
    return vectors;
  };
}

async function embedMissing(options: {
  connect: () => Database;
  vectors: RequestVectors;
  past: Uint32Array;
  embeddings: NamedEmbeddings;
  dimension: number;
}): Promise<void> {
  const { connect, vectors, past, embeddings, dimension } = options;
  const model = { name: embeddings.name, embeddings: embeddings.model };
  const missing = vectors.missing(past);
  for (let start = 0; start < missing.length; start += BATCH_SIZE) {
    const batch = [...missing.subarray(start, start + BATCH_SIZE)];
    const texts = textsOf(connect(), batch);
    const embedded = await embedTexts({ model, texts, dimension });
    vectors.put(new Map(batch.map((request, index) => [request, embedded[index] ?? []])));
  }
}

function textsOf(database: Database, requests: readonly number[]): string[] {
  const select = database.prepare("SELECT text FROM queries WHERE number = ?").pluck();
  return requests.map((request) => select.get(request) as string);
}
