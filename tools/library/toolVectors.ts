import { getTool, type LibraryPlace } from "./records.js";
import { readVectors, textHash } from "./vectors.js";

/**
 * The vectors of some tools by their id, as they are stored now. A tool that is gone, or whose text has
 * changed and is not embedded yet, has none.
 */
export function toolVectors(
  options: LibraryPlace & { model: string; dimension: number; ids: readonly string[] },
): Map<string, Float32Array> {
  const { ids, ...scope } = options;
  const hashes = new Map<string, string>();
  for (const id of ids) {
    const tool = getTool({ ...scope, id });
    if (tool) hashes.set(id, textHash(tool));
  }
  const known = readVectors({ ...scope, hashes: [...hashes.values()] });
  return new Map(
    [...hashes].flatMap(([id, hash]) => {
      const found = known.get(hash);
      return found ? [[id, found] as const] : [];
    }),
  );
}
