import { channel } from "node:diagnostics_channel";

/** Work that may take minutes, and its progress. One piece of work is one object from beginning to end. */
export interface LongWork {
  /** "embedding", "downloading". */
  readonly label: string;
  readonly unit: "texts" | "bytes" | "steps" | "runs";
  done: number;
  /** 0 if unknown. */
  total: number;
  /** What else is to be told of it, such as what it has cost so far. */
  note?: string;
  hasEnded: boolean;
}

/**
 * The channel on which long work reports its progress, so that no listener has to be passed down to the work. Each
 * message is a {@link LongWork}.
 *
 * @example
 * import { subscribe } from "node:diagnostics_channel";
 *
 * subscribe(LONG_WORK, (message) => {
 *   const { label, done, total } = message as LongWork;
 *   console.error(label, done, total);
 * });
 */
export const LONG_WORK = "tulipgraph:long-work";

const reports = channel(LONG_WORK);

/**
 * Does work and reports its progress: at the beginning, whenever the work calls `tell`, and at the end, even after a
 * failure.
 *
 * @param work.total 0 if not known yet
 */
export async function tellingProgress<Result>(
  work: Pick<LongWork, "label" | "unit" | "total">,
  doing: (
    tell: (progress: Partial<Pick<LongWork, "total" | "note">> & { done: number }) => void,
  ) => Promise<Result>,
): Promise<Result> {
  const state: LongWork = { ...work, done: 0, hasEnded: false };
  reports.publish(state);
  try {
    return await doing((progress) => reports.publish(Object.assign(state, progress)));
  } finally {
    state.hasEnded = true;
    reports.publish(state);
  }
}

/** Fewest and most texts given to an embedding model in one call: a person sees progress at once and again and again. */
const [FIRST_BATCH_SIZE, BATCH_SIZE] = [8, 128];

/**
 * Embeds texts batch by batch, and reports the progress.
 *
 * @param embed embeds a batch and stores its vectors, so that a failure loses only its own batch
 */
export async function embedInBatches(
  texts: readonly string[],
  embed: (batch: string[]) => Promise<void>,
): Promise<void> {
  if (texts.length === 0) return;
  const work = { label: "embedding", unit: "texts", total: texts.length } as const;
  await tellingProgress(work, async (tell) => {
    for (let done = 0; done < texts.length;) {
      const size = Math.min(BATCH_SIZE, Math.max(FIRST_BATCH_SIZE, done));
      const batch = texts.slice(done, done + size);
      await embed(batch);
      done += batch.length;
      tell({ done });
    }
  });
}
