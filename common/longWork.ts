import { channel } from "node:diagnostics_channel";

/** Work that may take minutes, and how far it is. One object stands for one piece of work from beginning to end. */
export interface LongWork {
  /** "embedding", "downloading". */
  readonly label: string;
  readonly unit: "texts" | "bytes" | "steps";
  done: number;
  /** 0 where it is not known. */
  total: number;
  hasEnded: boolean;
}

/**
 * Where long work tells how far it is: whoever shows it subscribes, and work need not be handed a listener through
 * everything that stands between. Each message is a {@link LongWork}.
 *
 * @example
 * import { subscribe } from "node:diagnostics_channel";
 *
 * subscribe("tulipgraph:long-work", ({ label, done, total }) => console.error(label, done, total));
 */
export const LONG_WORK = "tulipgraph:long-work";

const told = channel(LONG_WORK);

/**
 * Does work that tells how far it is, at its beginning, whenever it says so, and at its end, whether or not it came
 * to it.
 *
 * @param work.total 0 where it is not known yet
 */
export async function tellingProgress<Result>(
  work: Pick<LongWork, "label" | "unit" | "total">,
  doing: (tell: (progress: { done: number; total?: number }) => void) => Promise<Result>,
): Promise<Result> {
  const state: LongWork = { ...work, done: 0, hasEnded: false };
  told.publish(state);
  try {
    return await doing((progress) => told.publish(Object.assign(state, progress)));
  } finally {
    state.hasEnded = true;
    told.publish(state);
  }
}

/**
 * Texts given to an embedding model in one call: few enough that a person sees it go on, and that a process that is
 * ended has little to do again.
 */
const BATCH_SIZE = 128;

/**
 * Embeds texts batch after batch, telling how far it is.
 *
 * @param embed embeds a batch and puts its vectors away: what came before a failure is kept
 */
export async function embedInBatches(
  texts: readonly string[],
  embed: (batch: string[]) => Promise<void>,
): Promise<void> {
  if (texts.length === 0) return;
  const work = { label: "embedding", unit: "texts", total: texts.length } as const;
  await tellingProgress(work, async (tell) => {
    for (let done = 0; done < texts.length;) {
      const batch = texts.slice(done, done + BATCH_SIZE);
      await embed(batch);
      done += batch.length;
      tell({ done });
    }
  });
}
