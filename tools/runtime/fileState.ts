import { type Stats, statSync } from "node:fs";

/**
 * Two changes within one tick of the file system's clock have the same time, and often the same size. Time and
 * size are therefore trusted only if the last change is at least this long ago, in milliseconds.
 */
const TICK_MS = 2_500;

/** Times and size of a file, to tell whether it has changed; undefined if it is gone or has just changed. */
export function fileState(
  path: string,
  stats: Stats | undefined = statSync(path, { throwIfNoEntry: false }),
): string | undefined {
  if (!stats?.isFile()) return undefined;
  const { mtimeMs, ctimeMs, size } = stats;
  return Date.now() - ctimeMs > TICK_MS ? `${mtimeMs} ${ctimeMs} ${size}` : undefined;
}
