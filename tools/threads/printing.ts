/**
 * In a worker thread that runs users' code: what it prints goes to standard error, for a person,
 * because standard output belongs to the host's results.
 */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}

/**
 * Waits until the host has printed what was printed in this thread. The host prints for its threads:
 * what it has not read when the thread or the host ends would be lost.
 */
export async function untilPrinted(): Promise<void> {
  if (process.stderr.writableLength === 0) return;
  await new Promise<void>((resolve) => process.stderr.write("", () => resolve()));
}
