import { type Stats, statSync } from "node:fs";

/**
 * Two changes within one tick of a file's clock leave one time, and often one size: only a file whose last
 * change was this long ago when it was read is known by them, in milliseconds.
 */
const TICK_MS = 2_500;

/**
 * Times and size of a file, where they tell whether it has changed; undefined for one that is gone, or was
 * changed a moment ago.
 */
export function fileState(
  path: string,
  stats: Stats | undefined = statSync(path, { throwIfNoEntry: false }),
): string | undefined {
  if (!stats?.isFile()) return undefined;
  const { mtimeMs, ctimeMs, size } = stats;
  return Date.now() - ctimeMs > TICK_MS ? `${mtimeMs} ${ctimeMs} ${size}` : undefined;
}
