import type { ToolRecord } from "../tool.js";
import { getTool, type LibraryPlace, type PlacedTool } from "./records.js";
import type { EmbeddedTool } from "./searchIndex.js";
import { readVectors, textHash } from "./vectors.js";

/**
 * The vectors of some tools by their id, as stored now. There is none for a tool that was removed, or whose text has
 * changed and is not embedded yet.
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

/** Divides tools into those with a vector and those that have none yet. */
export function withVectors({
  placed,
  ...scope
}: LibraryPlace & { model: string; dimension: number; placed: readonly PlacedTool[] }): {
  tools: EmbeddedTool[];
  missing: ToolRecord[];
} {
  const hashes = placed.map(({ record }) => textHash(record));
  const vectors = readVectors({ ...scope, hashes });
  const tools: EmbeddedTool[] = [];
  const missing: ToolRecord[] = [];
  for (const [at, { position, record }] of placed.entries()) {
    const vector = vectors.get(hashes[at] ?? "");
    if (vector) tools.push({ id: record.id, position, vector });
    else missing.push(record);
  }
  return { tools, missing };
}
