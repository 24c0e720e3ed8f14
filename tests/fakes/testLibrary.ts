import { resolve } from "node:path";
import { registerEmbeddingsProvider } from "../../models/providers.js";
import { importTools } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { wordEmbeddings } from "./wordEmbeddings.js";

/** Settings of a run on the small library of tests/fixtures, with word counts as embeddings. */
export const TEST_LIBRARY = {
  library: "test",
  embeddings: "words:hashed",
  // Two texts that share half of their words are nearer than this.
  threshold: 1.3,
} as const;

registerEmbeddingsProvider("words", {
  makeEmbeddings: async () => wordEmbeddings({ dimensions: 1024 }),
});

/** Makes the small library in this test file's home. */
export async function importTestLibrary(): Promise<void> {
  await importTools({
    store: openWorkspace().store,
    settings: TEST_LIBRARY,
    file: resolve("tests/fixtures/library/tools.ts"),
    description: "Numbers and greetings",
  });
}
