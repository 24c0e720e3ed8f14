import { chmodSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";

/** Kept in memory on Linux. */
const MEMORY = "/dev/shm";

/** More than all that tests keep at once, in bytes. */
const ENOUGH = 6 * 2 ** 30;

/**
 * Global set-up: the temporary files of the tests are kept in memory where there is room. They are written to the
 * disk a hundred thousand times otherwise, for no test can tell the difference.
 */
export default function keepFilesInMemory(): (() => void) | undefined {
  if (process.env.TMPDIR || !hasRoom()) return undefined;
  const folder = mkdtempSync(join(MEMORY, "tulipgraph-tests-"));
  // The database that tests start belongs to another user.
  chmodSync(folder, 0o711);
  process.env.TMPDIR = folder;
  return () => {
    delete process.env.TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ENOUGH;
  } catch {
    return false;
  }
}
