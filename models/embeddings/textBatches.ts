import { availableParallelism } from "node:os";
import { askedThread } from "../../tools/calls/workers/askedThread.js";
import { Latest } from "../../common/bounds.js";

/** Most texts per batch; a larger batch would make more short texts wait for the longest. */
const BATCH_SIZE = 8;

/** Most characters per batch, except for a single text, so that other runs get a turn in between. */
const BATCH_LENGTH = 700;

/**
 * Most characters of padding per batch; with more, two batches are faster (the packaged encoder takes 5 ms per batch
 * and 8 ms per 100 characters).
 */
const MOST_PADDING = 60;

/** Vectors kept in memory per encoder: about 8 MB. */
const MOST_RECENT = 2000;

/** Each thread loads the network for itself, which takes up to a second and half a gigabyte. */
const MOST_THREADS = Math.min(2, availableParallelism());

/** How long threads are kept, in milliseconds. */
const IDLE_MS = { first: 300_000, others: 10_000 };

/** Fewer texts per thread are not worth another one. */
const TEXTS_PER_THREAD = 48;

/**
 * Threads of one entry; the first is the one that is asked unless there is much to embed.
 *
 * @param entry as for `askedThread`
 */
export function encoderThreads<Work extends (question: never) => unknown>(entry: URL) {
  const threads = Array.from({ length: MOST_THREADS }, (_, at) =>
    askedThread<Work>(entry, at === 0 ? IDLE_MS.first : IDLE_MS.others),
  );
  return (question: Parameters<Work>[0], thread: number) => {
    const ask = threads[thread];
    if (ask === undefined) throw new Error(`there is no thread ${thread}`);
    return ask(question);
  };
}

/**
 * Embeds texts in batches that suit a network in threads, and keeps the latest vectors, because the stages of a run
 * embed the same request repeatedly.
 *
 * @param embed returns one vector for each text of a batch, from the thread of that number
 * @returns a function that returns the vectors of texts, in their order
 */
export function inBatches(
  embed: (batch: string[], thread: number) => Promise<number[][]>,
): (texts: readonly string[]) => Promise<number[][]> {
  const recent = new Latest<string, number[]>(MOST_RECENT);
  return async (texts) => {
    const known = new Map(texts.map((text) => [text, recent.get(text)]));
    const fresh = [...known.keys()].filter((text) => known.get(text) === undefined);
    const batches = batchesOf(fresh);
    const threads = Math.min(MOST_THREADS, Math.ceil(fresh.length / TEXTS_PER_THREAD));
    const work = async (_: unknown, thread: number) => {
      for (let batch = batches.pop(); batch; batch = batches.pop()) {
        const vectors = await embed(batch, thread);
        for (const [row, text] of batch.entries()) {
          const vector = vectors[row] ?? [];
          known.set(text, vector);
          recent.set(text, vector);
        }
      }
    };
    await Promise.all(Array.from({ length: threads }, work));
    return texts.map((text) => known.get(text)?.slice() ?? []);
  };
}

/**
 * Every text of a batch takes as long as the longest, so texts of similar length go together. This takes tools of mixed
 * lengths in three fifths of the time.
 */
function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let length = Infinity;
  for (const text of texts.toSorted((one, other) => one.length - other.length)) {
    const batch = batches.at(-1) ?? [];
    const padding = batch.length * text.length - length;
    const isFull = batch.length === BATCH_SIZE || length + text.length > BATCH_LENGTH;
    if (isFull || padding > MOST_PADDING) {
      batches.push([text]);
      length = text.length;
    } else {
      batch.push(text);
      length += text.length;
    }
  }
  return batches;
}

export function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
