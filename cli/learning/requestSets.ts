import { join } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import {
  readRequestFolder,
  readRequests,
  type RequestSet,
} from "../../eval/retrieval/labelledRequests.js";
import { type CachedEmbeddings, cachedEmbeddings } from "../../models/embeddingCache.js";
import { openExactEmbeddings } from "../../models/embeddings.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";

/** Where training requests come from: a file of requests for a library, or folders that bring their own tools. */
export interface RequestSource {
  /** The option that names the file. */
  option: string;
  file?: string;
  bench?: readonly string[];
}

/** @throws InvalidSetting unless either a file or folders are given */
export function requireOneSource({ option, file, bench }: RequestSource): void {
  if ((file === undefined) !== (bench === undefined)) return;
  throw new InvalidSetting({
    setting: option,
    problem: `give either --${option} FILE or --bench FOLDER…`,
    hint: 'A line of FILE is one request: { "query": "…", "tools": ["id"] }',
  });
}

export async function readRequestSets(
  source: RequestSource & { library: ToolLibrary },
): Promise<RequestSet[]> {
  const { option, file, bench = [], library } = source;
  if (file === undefined) return await Promise.all(bench.map(readRequestFolder));
  const { name } = library;
  return [await readRequests({ setting: option, name, file, tools: library.list() })];
}

/** Works with an embedding model whose vectors are cached in the home. */
export async function withCachedEmbeddings<Result>(
  spec: string,
  work: (model: { embeddings: CachedEmbeddings; name: string }) => Promise<Result>,
): Promise<Result> {
  const opened = await openExactEmbeddings(spec);
  const { name } = opened;
  const file = join(openWorkspace().home, "embeddings.db");
  const embeddings = cachedEmbeddings({ embeddings: opened, model: name, file });
  try {
    return await work({ embeddings, name });
  } finally {
    embeddings.close();
  }
}
