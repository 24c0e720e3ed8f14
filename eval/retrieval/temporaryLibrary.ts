import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModel } from "../../tools/library/embedding.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** Does work with a library of its own of some tools, which is removed afterwards. */
export async function withTemporaryLibrary<Result>(
  { tools, model }: { tools: readonly ToolDefinition[]; model: EmbeddingModel },
  work: (library: ToolLibrary) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-set-"));
  const store = openLibraryStore({ home });
  const { embeddings, name: embeddingModel } = model;
  try {
    const library = store.open({ name: "set", embeddings, embeddingModel, create: true });
    await library.sync({ origin: "set", fingerprint: "", tools });
    return await work(library);
  } finally {
    store.close();
    rmSync(home, { recursive: true, force: true });
  }
}
