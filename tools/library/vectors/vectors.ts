import type { EmbeddingsInterface } from "@langchain/core/embeddings";
import type { VectorStoreInterface } from "@langchain/core/vectorstores";
import { embedInBatches } from "../../../common/longWork.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import { type EmbeddingModel, embedTexts, toolText } from "./embedding.js";
import { estimateTokens } from "../../../common/tokens.js";
import { sha256 } from "../records/hash.js";
import {
  columnOf,
  type LibraryPlace,
  type LibraryWriter,
  pickPlacedTools,
  rowsOf,
} from "../records/records.js";
import type { EmbeddedTool } from "./nearest.js";

/** A LangChain vector store, or what makes one for each library and embedding model. */
export type GivenVectorStore =
  | VectorStoreInterface
  | ((library: {
      /** Name of the library. */
      library: string;
      embeddings: EmbeddingsInterface;
      /** "provider:name" */
      embeddingModel: string;
      /** Length of the vectors, which have unit length. */
      dimension: number;
    }) => VectorStoreInterface | Promise<VectorStoreInterface>);

/** Access to a library for those who index it. */
export interface IndexSource {
  /** The folder that holds the indexes. */
  home: string;
  name: string;
  /** Where to read. Throws if the store is closed or the library was deleted. */
  place: () => LibraryPlace;
  write: LibraryWriter;
  model: EmbeddingModel;
  /** Where vectors are searched instead of in FAISS. */
  vectorStore?: GivenVectorStore | undefined;
}

/** A library with the vectors of one length. */
export type IndexedLibrary = IndexSource & { dimension: number };

/** What embedding has cost; the tokens are estimated. */
export interface EmbeddingCost {
  embedded: number;
  embeddingTokens: number;
}

/** The tools whose texts have no vector of a model; if the model has several dimensions, of the largest. */
export function withoutVectors<Tool extends ToolDefinition>(
  options: LibraryPlace & { model: string; tools: readonly Tool[] },
): Tool[] {
  const { model, tools, ...place } = options;
  const hashes = tools.map((tool) => sha256(toolText(tool)));
  const statement = `SELECT text_hash FROM vectors WHERE library = ?1 AND model = ?2
    AND dimension = (SELECT max(dimension) FROM vectors WHERE library = ?1 AND model = ?2)
    AND text_hash IN (SELECT value FROM json_each(?3))`;
  const known = new Set(columnOf<string>(place, statement, model, JSON.stringify(hashes)));
  return tools.filter((_, at) => !known.has(hashes[at] ?? ""));
}

/** A tool with its vector, and the text that was embedded. */
export type IndexedTool = EmbeddedTool & { text: string };

/** Reads some tools: those with a vector, and those that have none yet. Unknown ids are left out. */
export function readTools(
  { place, model, dimension }: IndexedLibrary,
  ids: readonly string[],
): { tools: IndexedTool[]; missing: ToolRecord[] } {
  const here = place();
  const placed = pickPlacedTools({ ...here, ids }).map((tool) => {
    const text = toolText(tool.record);
    return { ...tool, text, hash: sha256(text) };
  });
  const statement = `SELECT text_hash, vector FROM vectors WHERE library = ? AND model = ?
    AND dimension = ? AND text_hash IN (SELECT value FROM json_each(?))`;
  const hashes = JSON.stringify(placed.map(({ hash }) => hash));
  type Row = { text_hash: string; vector: Buffer };
  const rows = rowsOf<Row>(here, statement, model.name, dimension, hashes);
  const vectors = new Map(rows.map(({ text_hash, vector }) => [text_hash, fromBytes(vector)]));
  const tools: IndexedTool[] = [];
  const missing: ToolRecord[] = [];
  for (const { position, record, text, hash } of placed) {
    const vector = vectors.get(hash);
    if (vector) tools.push({ id: record.id, position, vector, text });
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
export async function embedTools(options: {
  write: LibraryWriter;
  model: EmbeddingModel;
  tools: readonly ToolDefinition[];
  dimension?: number;
}): Promise<EmbeddingCost> {
  const { write, model, tools, dimension } = options;
  const texts = [...new Set(tools.map(toolText))];
  await embedInBatches(texts, async (batch) => {
    const vectors = await embedTexts({ model, texts: batch, dimension });
    await write((place) => storeVectors({ ...place, model: model.name, texts: batch, vectors }));
  });
  return { embedded: texts.length, embeddingTokens: estimateTokens(texts) };
}

function storeVectors(
  options: LibraryPlace & { model: string; texts: string[]; vectors: number[][] },
): void {
  const { database, library, model, texts, vectors } = options;
  const insert = database.prepare(
    "INSERT OR REPLACE INTO vectors (library, model, dimension, text_hash, vector) VALUES (?, ?, ?, ?, ?)",
  );
  for (const [index, vector] of vectors.entries()) {
    const bytes = Buffer.from(Float32Array.from(vector).buffer);
    insert.run(library, model, vector.length, sha256(texts[index] ?? ""), bytes);
  }
}

/** Copies the bytes, which may not be aligned for 32-bit numbers. */
export function fromBytes(bytes: Buffer): Float32Array {
  return new Float32Array(new Uint8Array(bytes).buffer);
}
