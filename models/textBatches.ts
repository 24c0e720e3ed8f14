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

/**
 * Embeds texts in batches that suit a network in a thread, and keeps the latest vectors, because the stages of a run
 * embed the same request repeatedly.
 *
 * @param embed returns one vector for each text of a batch
 * @returns a function that returns the vectors of texts, in their order
 */
export function inBatches(
  embed: (batch: string[]) => Promise<number[][]>,
): (texts: readonly string[]) => Promise<number[][]> {
  const recent = new Map<string, number[]>();
  return async (texts) => {
    const known = new Map(texts.map((text) => [text, recent.get(text)]));
    const fresh = [...known.keys()].filter((text) => known.get(text) === undefined);
    // Every text of a batch takes as long as the longest, so texts of similar length go together. This takes tools of
    // mixed lengths in three fifths of the time.
    const byLength = fresh.toSorted((one, other) => one.length - other.length);
    for (let start = 0; start < byLength.length;) {
      const batch = nextBatch(byLength, start);
      const vectors = await embed(batch);
      for (const [row, text] of batch.entries()) {
        const vector = vectors[row] ?? [];
        known.set(text, vector);
        remember(recent, text, vector);
      }
      start += batch.length;
    }
    return texts.map((text) => known.get(text)?.slice() ?? []);
  };
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

function remember(recent: Map<string, number[]>, text: string, vector: number[]): void {
  recent.set(text, vector);
  const [oldest] = recent.keys();
  if (recent.size > MOST_RECENT && oldest !== undefined) recent.delete(oldest);
}
