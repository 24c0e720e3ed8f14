import type { EmbeddingModel } from "../../tools/library/vectors/embedding.js";
import type { ToolLibrary } from "../../tools/library/library.js";
import { openLibraryStore } from "../../tools/library/store.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { inTemporaryFolder } from "../files.js";

/** Does work with a temporary library for each of some sets of tools. */
export async function withTemporaryLibraries<Result>(
  { sets, model }: { sets: readonly (readonly ToolDefinition[])[]; model: EmbeddingModel },
  work: (libraries: ToolLibrary[]) => Promise<Result>,
): Promise<Result> {
  const { embeddings, name: embeddingModel } = model;
  return await inTemporaryFolder("sets", async (home) => {
    const store = openLibraryStore({ home });
    try {
      const libraries: ToolLibrary[] = [];
      for (const [at, tools] of sets.entries()) {
        const wanted = { name: `set${at}`, embeddings, embeddingModel, create: true };
        const library = await store.open(wanted);
        await library.sync({ origin: "set", fingerprint: "", tools });
        libraries.push(library);
      }
      return await work(libraries);
    } finally {
      await store.close();
    }
  });
}

/** As `withTemporaryLibraries`, for one set. */
export async function withTemporaryLibrary<Result>(
  { tools, model }: { tools: readonly ToolDefinition[]; model: EmbeddingModel },
  work: (library: ToolLibrary) => Promise<Result>,
): Promise<Result> {
  return await withTemporaryLibraries({ sets: [tools], model }, async ([library]) => {
    if (!library) throw new Error("one library was wanted");
    return await work(library);
  });
}
