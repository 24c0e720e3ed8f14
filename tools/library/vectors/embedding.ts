import type { Embeddings } from "@langchain/core/embeddings";
import { beginning } from "../../../common/text.js";
import { ModelFailed } from "../../../common/errors.js";
import type { ToolDefinition } from "../../tool.js";

/** An embedding model, and the name under which its vectors are stored, "provider:name". */
export interface EmbeddingModel {
  embeddings: Embeddings & QueryEmbeddings;
  name: string;
}

/** What models have that embed queries differently from documents. */
interface QueryEmbeddings {
  embedQueries?: (texts: string[]) => Promise<number[][]>;
}

/**
 * Embeds texts with one call of the model and scales every vector to unit length, so that squared distances lie between
 * 0 and 4 with any model. A vector of zeros stays as it is, at distance 1 from everything.
 *
 * @param options.as "queries" for texts to search with, which some models embed differently; default "documents"
 * @param options.dimension the length that the vectors must have, if known
 * @throws ModelFailed when the model does not return one finite vector per text, all of one length
 */
export async function embedTexts(options: {
  model: EmbeddingModel;
  texts: readonly string[];
  dimension?: number;
  as?: "documents" | "queries";
}): Promise<number[][]> {
  const { model, texts, dimension, as = "documents" } = options;
  const { embeddings } = model;
  const vectors =
    as === "queries" && embeddings.embedQueries
      ? await embeddings.embedQueries([...texts])
      : await embeddings.embedDocuments([...texts]);
  const length = dimension ?? vectors[0]?.length ?? 0;
  const isUsable = (vector: number[]) => vector.length === length && vector.every(Number.isFinite);
  if (vectors.length !== texts.length || length === 0 || !vectors.every(isUsable)) {
    const lengths = [...new Set(vectors.map((vector) => vector.length))].join(", ");
    throw new ModelFailed({
      model: model.name,
      problem: `expected ${texts.length} vectors of ${length} finite numbers, got ${vectors.length} of length ${lengths || "0"}`,
      hint: "Choose another embedding model",
    });
  }
  return vectors.map(toUnitLength);
}

/** Rounds to what is stored, so that equal vectors have distance 0. */
function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => Math.fround(value / length));
}

/** Raised by one whenever `toolText` changes, so that indexes of the old texts are not used. */
export const TEXT_FORM = 3;

/** Most characters of a description that say what a tool does; what follows are details, such as rights and errors. */
const LONGEST_GIST = 300;

/** The beginning of a description: of its first paragraph, the sentences that fit. */
export function gistOf(description: string): string {
  const [paragraph = ""] = description.trim().split(/\n\s*\n/u);
  if (paragraph.length <= LONGEST_GIST) return paragraph;
  const start = beginning(paragraph, LONGEST_GIST);
  const end = [...start.matchAll(/[.!?](?=\s)/gu)].at(-1)?.index;
  return end === undefined ? start : start.slice(0, end + 1);
}

/**
 * The text by which a tool is found: its category, its provider and its name spelled as words, then the gist of its
 * description.
 *
 * Names of parameters added nothing beyond chance (docs/retrieval.md); category and provider help, if a
 * library has them.
 */
export function toolText({
  name,
  description,
  provider = "",
  category = "",
}: Pick<ToolDefinition, "name" | "description" | "provider" | "category">): string {
  return `${[category, provider, name].map(wordsOf).filter(Boolean).join(" ")} ${gistOf(description)}`;
}

/** Spells an identifier as lower-case words: `getUserToken_v2` becomes `get user token v2`. */
export function wordsOf(identifier: string): string {
  return identifier
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()
    .toLowerCase();
}
