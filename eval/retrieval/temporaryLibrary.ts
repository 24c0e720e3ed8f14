import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EmbeddingModel } from "../../tools/library/embedding.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** Does work with libraries of their own of some sets of tools, which are removed afterwards. */
export async function withTemporaryLibraries<Result>(
  { sets, model }: { sets: readonly (readonly ToolDefinition[])[]; model: EmbeddingModel },
  work: (libraries: ToolLibrary[]) => Promise<Result>,
): Promise<Result> {
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-sets-"));
  const store = openLibraryStore({ home });
  const { embeddings, name: embeddingModel } = model;
  try {
    const libraries: ToolLibrary[] = [];
    for (const [at, tools] of sets.entries()) {
      const library = await store.open({
        name: `set${at}`,
        embeddings,
        embeddingModel,
        create: true,
      });
      await library.sync({ origin: "set", fingerprint: "", tools });
      libraries.push(library);
    }
    return await work(libraries);
  } finally {
    await store.close();
    rmSync(home, { recursive: true, force: true });
  }
}

/** As `withTemporaryLibraries`, of one set. */
export async function withTemporaryLibrary<Result>(
  { tools, model }: { tools: readonly ToolDefinition[]; model: EmbeddingModel },
  work: (library: ToolLibrary) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryLibraries({ sets: [tools], model }, async ([library]) => {
    if (!library) throw new Error("one library was wanted");
    return await work(library);
  });
}
