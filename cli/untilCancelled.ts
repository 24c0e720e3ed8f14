/** Does work that Ctrl-C cancels through the signal. */
export async function untilCancelled<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const cancel = () => controller.abort();
  process.once("SIGINT", cancel);
  try {
    return await work(controller.signal);
  } finally {
    process.off("SIGINT", cancel);
  }
}
