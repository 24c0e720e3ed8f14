/** Reason to stop work here with which another process goes on, or this one later: nothing of it is to be cancelled. */
export class HandedOver extends Error {}

/** Waits for work. On abort, throws the signal's reason; the work goes on, and its outcome is dropped. */
export async function orAborted<Result>(
  signal: AbortSignal,
  work: Promise<Result>,
): Promise<Result> {
  const heard = new AbortController();
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    signal.addEventListener("abort", end, { signal: heard.signal });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    heard.abort();
    work.catch(() => undefined);
  }
}
