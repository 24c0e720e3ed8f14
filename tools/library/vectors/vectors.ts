import { embedInBatches } from "../../../common/longWork.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import { type EmbeddingModel, embedTexts, estimateTokens, toolText } from "./embedding.js";
import { sha256 } from "../records/hash.js";
import {
  getTool,
  type LibraryPlace,
  type LibraryWriter,
  type PlacedTool,
} from "../records/records.js";
import type { EmbeddedTool } from "./searchIndex.js";

/** What embedding has cost; the tokens are estimated. */
export interface EmbeddingCost {
  embedded: number;
  embeddingTokens: number;
}

/** The hash under which the vector of a tool's text is stored. */
export function textHash(tool: ToolDefinition): string {
  return sha256(toolText(tool));
}

/** Hashes of the texts that have a vector of a model, of the given dimension or of any. */
export function embeddedTexts({
  database,
  library,
  model,
  dimension,
}: LibraryPlace & { model: string; dimension?: number }): Set<string> {
  const hashes = database
    .prepare(
      "SELECT text_hash FROM vectors WHERE library = ? AND model = ? AND dimension = coalesce(?, dimension)",
    )
    .pluck()
    .all(library, model, dimension ?? null);
  return new Set(hashes as string[]);
}

/** Whether a tool's text has a vector of a model; if the model has several dimensions, of the largest. */
export function isEmbedded({
  database,
  library,
  model,
  tool,
}: LibraryPlace & { model: string; tool: ToolDefinition }): boolean {
  const count = database
    .prepare(
      `SELECT count(*) FROM vectors WHERE library = ?1 AND model = ?2 AND text_hash = ?3 AND dimension =
       (SELECT max(dimension) FROM vectors WHERE library = ?1 AND model = ?2)`,
    )
    .pluck()
    .get(library, model, textHash(tool));
  return Number(count) > 0;
}

/** The vectors of a model by the hash of their text: all of them, or those of some hashes. */
export function readVectors({
  database,
  library,
  model,
  dimension,
  hashes,
}: LibraryPlace & {
  model: string;
  dimension: number;
  hashes?: readonly string[];
}): Map<string, Float32Array> {
  const rows = database
    .prepare(
      `SELECT text_hash, vector FROM vectors WHERE library = ? AND model = ? AND dimension = ?
       ${hashes ? "AND text_hash IN (SELECT value FROM json_each(?))" : ""}`,
    )
    .all(library, model, dimension, ...(hashes ? [JSON.stringify(hashes)] : [])) as {
    text_hash: string;
    vector: Buffer;
  }[];
  return new Map(rows.map(({ text_hash, vector }) => [text_hash, fromBytes(vector)]));
}

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

/**
 * Embeds the texts of tools and stores their vectors. Each batch is stored at once, so that what was paid for is kept
 * if a later batch fails, and another attempt only embeds the rest.
 *
 * @param options.dimension the length that the vectors must have, if known
 * @throws ModelFailed when the model's vectors cannot be used
 */
export async function embedTools({
  write,
  model,
  tools,
  dimension,
}: {
  write: LibraryWriter;
  model: EmbeddingModel;
  tools: readonly ToolDefinition[];
  dimension?: number;
}): Promise<EmbeddingCost> {
  const texts = [...new Set(tools.map(toolText))];
  await embedInBatches(texts, async (batch) => {
    const vectors = await embedTexts({ model, texts: batch, dimension });
    await write((place) => storeVectors({ ...place, model: model.name, texts: batch, vectors }));
  });
  return { embedded: texts.length, embeddingTokens: estimateTokens(texts) };
}

function storeVectors({
  database,
  library,
  model,
  texts,
  vectors,
}: LibraryPlace & { model: string; texts: string[]; vectors: number[][] }): void {
  const insert = database.prepare(
    "INSERT OR REPLACE INTO vectors (library, model, dimension, text_hash, vector) VALUES (?, ?, ?, ?, ?)",
  );
  for (const [index, vector] of vectors.entries()) {
    insert.run(library, model, vector.length, sha256(texts[index] ?? ""), toBytes(vector));
  }
}

function toBytes(vector: number[]): Buffer {
  return Buffer.from(Float32Array.from(vector).buffer);
}

/** Copies the bytes, which may not be aligned for 32-bit numbers. */
function fromBytes(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
