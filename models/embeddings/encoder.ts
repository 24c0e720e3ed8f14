import { Embeddings, type EmbeddingsParams } from "@langchain/core/embeddings";
import { beginning } from "../../common/text.js";
import { ModelFailed } from "../../common/errors.js";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import { ThreadFailed } from "../../tools/calls/workers/askedThread.js";
import { encoderThreads, inBatches, toUnitLength } from "./textBatches.js";

const SENTENCE_ENCODER_DIMENSIONS = 512;

/**
 * Characters of a text that matter: the network reads its first 128 tokens, of at most 16 characters each. The rest
 * would change nothing, and the tokenizer takes quadratic time.
 */
const LONGEST_READ = 128 * 16;

/**
 * The built-in embedding model: an English sentence encoder whose weights come inside an npm
 * package (Universal Sentence Encoder Lite through `@energetic-ai/embeddings`), so it needs no key
 * and no network. It runs in threads of its own.
 *
 * Vectors have {@link SENTENCE_ENCODER_DIMENSIONS} numbers and unit length; a text without any
 * content gives the zero vector. The weights are loaded on first use, once per process.
 *
 * @throws ModelFailed when the weights cannot be loaded, or the thread ends
 */
export class SentenceEncoder extends Embeddings {
  constructor(params: EmbeddingsParams = {}) {
    super(params);
  }

  async embedDocuments(documents: string[]): Promise<number[][]> {
    const read = documents.map((text) => beginning(text, LONGEST_READ));
    const vectors = await encode(read.filter(hasContent));
    return read.map((text) => (hasContent(text) ? vectors.shift() : undefined) ?? zeroVector());
  }

  async embedQuery(document: string): Promise<number[]> {
    const [vector] = await this.embedDocuments([document]);
    return vector ?? zeroVector();
  }
}

/** In a thread, because the network takes up to 170 ms for one text. */
const askNetwork = encoderThreads<(texts: string[]) => Promise<number[][]>>(
  new URL("./encoderThread.js", import.meta.url),
);

const encode = inBatches(async (batch, thread) => {
  const raw = await askNetwork(batch, thread).catch((error: unknown) => fail(error));
  return raw.map(toUnitLength);
});

function fail(cause: unknown): never {
  if (!(cause instanceof ThreadFailed)) throw cause;
  const explanation = cause.isLoaded
    ? { problem: cause.message }
    : {
        problem: `its weights could not be loaded (${cause.message})`,
        hint: "Install the packages again: npm ci",
      };
  throw new ModelFailed({ model: LOCAL_EMBEDDINGS, ...explanation }, { cause });
}

function hasContent(text: string): boolean {
  return text.trim().length > 0;
}

function zeroVector(): number[] {
  return Array.from({ length: SENTENCE_ENCODER_DIMENSIONS }, () => 0);
}
