import { embedInBatches } from "../common/longWork.js";
import { observationLine } from "../state/observation.js";
import { embedTexts, estimateTokens } from "../tools/library/vectors/embedding.js";
import type { NamedEmbeddings, PastCall } from "./experience.js";

/** What a classifier sees of a call. */
export type CallToJudge = Pick<PastCall, "query" | "tool" | "args" | "result">;

/** Features other than those of each component of the vectors. */
const PLAIN_FEATURES = 7;

/** Words by which tools report that they found nothing or that something went wrong. */
const FAILURE_WORDS =
  /\b(?:errors?|exceptions?|fail(?:ed|ure)?|invalid|unavailable|not (?:found|available|supported|subscribed)|no (?:results?|data|matches|such)|denied|forbidden|unauthori[sz]ed|expired|exceeded|missing|timed out|timeout|sorry|cannot|could not|unable|null|none|undefined)\b/gi;

/** JSON without content. */
const EMPTY_RESULT = /^(?:|null|""|\[\]|\{\})$/;

/** Number of features for vectors of this length. */
export function featureCount(dimension: number): number {
  return 2 * dimension + PLAIN_FEATURES;
}

/**
 * The features of calls: the vector of the result, its componentwise product with the request's vector, the
 * cosines between request, call and result, and how the result looks (its length, whether it is empty, words of
 * failure, digits). Each distinct text is embedded once.
 *
 * @param options.dimension the required length of vectors, if known
 * @returns one row of `featureCount(dimension)` numbers for each call, the length of the vectors, and the
 *   estimated number of embedded tokens
 * @throws ModelFailed when the embedding model fails, or its vectors have another length
 */
export async function featuresOf(options: {
  calls: readonly CallToJudge[];
  embeddings: NamedEmbeddings;
  dimension?: number;
}): Promise<{ rows: Float32Array[]; dimension: number; embeddingTokens: number }> {
  const { calls, ...rest } = options;
  const parts = calls.map(partsOf);
  const texts = [...new Set(parts.flatMap(({ query, call, result }) => [query, call, result]))];
  const vectors = await vectorsOf({ texts, ...rest });
  const vectorOf = (text: string) => vectors.get(text) ?? new Float32Array();
  const rows = parts.map(({ query, call, result }) =>
    rowOf({
      query: vectorOf(query),
      call: vectorOf(call),
      result: vectorOf(result),
      text: result,
    }),
  );
  const [first] = vectors.values();
  const dimension = options.dimension ?? first?.length ?? 0;
  return { rows, dimension, embeddingTokens: estimateTokens(texts) };
}

/** The three texts that are embedded; the name of a tool is read as words. */
function partsOf({ query, tool, args, result }: CallToJudge) {
  return {
    query: observationLine(query),
    call: observationLine(`${tool.replaceAll(/[_\W]+/g, " ")} ${JSON.stringify(args)}`),
    result: observationLine(result),
  };
}

async function vectorsOf(options: {
  texts: readonly string[];
  embeddings: NamedEmbeddings;
  dimension?: number;
}): Promise<Map<string, Float32Array>> {
  const { texts, embeddings } = options;
  const model = { embeddings: embeddings.model, name: embeddings.name };
  const vectors = new Map<string, Float32Array>();
  let { dimension } = options;
  await embedInBatches(texts, async (batch) => {
    const embedded = await embedTexts({ model, texts: batch, dimension });
    dimension ??= embedded[0]?.length;
    for (const [index, text] of batch.entries()) {
      vectors.set(text, Float32Array.from(embedded[index] ?? []));
    }
  });
  return vectors;
}

function rowOf(options: {
  query: Float32Array;
  call: Float32Array;
  result: Float32Array;
  text: string;
}): Float32Array {
  const { query, call, result, text } = options;
  const row = new Float32Array(featureCount(result.length));
  row.set(result);
  row.set(
    result.map((value, index) => value * (query[index] ?? 0)),
    result.length,
  );
  const digits = text.match(/\d/g)?.length ?? 0;
  const plain = [
    product(query, result),
    product(call, result),
    product(query, call),
    Math.log1p(text.length),
    EMPTY_RESULT.test(text) ? 1 : 0,
    Math.log1p(text.match(FAILURE_WORDS)?.length ?? 0),
    digits / Math.max(1, text.length),
  ];
  row.set(plain, 2 * result.length);
  return row;
}

function product(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? 0), 0);
}
