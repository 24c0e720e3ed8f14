import { Embeddings, type EmbeddingsParams } from "@langchain/core/embeddings";
import { beginning } from "../common/bounds.js";
import { ModelFailed } from "../common/errors.js";
import { LOCAL_EMBEDDINGS } from "../state/context.js";
import { ThreadFailed, askedThread } from "../tools/threads/askedThread.js";

/** Length of every vector of the built-in sentence encoder. */
export const SENTENCE_ENCODER_DIMENSIONS = 512;

/** Texts given to the network at once; with more, those that are shorter than the longest wait for it. */
const BATCH_SIZE = 8;

/** Characters given to it at once, but for a single text: other runs' texts have their turn in between. */
const BATCH_LENGTH = 700;

/**
 * Characters that shorter texts are filled up by to go with a longer one: with more, two batches take less
 * time (5 ms for a batch, 8 ms for 100 characters).
 */
const MOST_PADDING = 60;

/**
 * Characters of a text that can count: the network reads its first 128 tokens, and none has more than 16
 * characters. What comes behind them would change nothing, and the tokenizer takes the square of its time.
 */
const LONGEST_READ = 128 * 16;

/**
 * The built-in embedding model: an English sentence encoder whose weights come inside an npm
 * package (Universal Sentence Encoder Lite through `@energetic-ai/embeddings`), so it needs no key
 * and no network. It works in a thread of its own.
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
    const known = new Map(read.map((text) => [text, recent.get(text)]));
    const fresh = [...known.keys()].filter((text) => hasContent(text) && !known.get(text));
    for (const [text, vector] of await encode(fresh)) {
      known.set(text, vector);
      remember(text, vector);
    }
    return read.map((text) => known.get(text)?.slice() ?? zeroVector());
  }

  async embedQuery(document: string): Promise<number[]> {
    const [vector] = await this.embedDocuments([document]);
    return vector ?? zeroVector();
  }
}

/** The stages of a run embed one request again and again; the last vectors are kept for them. */
const recent = new Map<string, number[]>();

/** Vectors that are kept: some 8 MB. */
const MOST_RECENT = 2000;

function remember(text: string, vector: number[]): void {
  recent.set(text, vector);
  const [oldest] = recent.keys();
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
}

/** The network takes up to 170 ms for one text, in which the process could do nothing else. */
const askNetwork = askedThread<(texts: string[]) => Promise<number[][]>>(
  new URL("./encoderThread.js", import.meta.url),
);

async function encode(texts: readonly string[]): Promise<[string, number[]][]> {
  // Every text of a batch takes as long as its longest one, so those of like length go together:
  // tools of mixed lengths are done in three fifths of the time.
  const byLength = texts.toSorted((one, other) => one.length - other.length);
  const encoded: [string, number[]][] = [];
  for (let start = 0; start < byLength.length;) {
    const batch = nextBatch(byLength, start);
    const raw = await askNetwork(batch).catch((error: unknown) => fail(error));
    for (const [row, text] of batch.entries()) encoded.push([text, toUnitLength(raw[row] ?? [])]);
    start += batch.length;
  }
  return encoded;
}

function nextBatch(texts: readonly string[], start: number): string[] {
  const [first = "", ...others] = texts.slice(start, start + BATCH_SIZE);
  const batch = [first];
  let length = first.length;
  for (const text of others) {
    if (batch.length * text.length - length > MOST_PADDING) break;
    length += text.length;
    if (length > BATCH_LENGTH) break;
    batch.push(text);
  }
  return batch;
}

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

function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
