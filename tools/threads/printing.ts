/**
 * Sends what users' code prints in this worker thread to standard error, because standard output belongs to the host's
 * results.
 */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/**
 * Waits until the host has printed what this thread printed. The host prints for its threads, so anything it has not
 * read when either ends would be lost.
 */
export async function untilPrinted(): Promise<void> {
  if (process.stderr.writableLength === 0) return;
  await new Promise<void>((resolve) => process.stderr.write("", () => resolve()));
}
