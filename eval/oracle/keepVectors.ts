import { cachedEmbeddings } from "../../models/embeddingCache.js";
import {
  embeddingsProvider,
  parseModelSpec,
  registerEmbeddingsProvider,
} from "../../models/providers.js";

/**
 * Caches the vectors of an embedding model in a file: libraries in separate homes share most of their tools,
 * and embedding 15,000 of them takes minutes. The model keeps its name, which decides defaults of runs. Call
 * it before the model is opened.
 *
 * @param options.embeddings "provider:name"
 * @param options.file for `cachedEmbeddings`
 * @returns closes the file and restores the model
 */
export function keepVectors(options: { embeddings: string; file: string }): { close: () => void } {
  const { embeddings: model, file } = options;
  const { provider } = embeddingsProvider(model);
  const name = parseModelSpec(model).provider;
  const open: { close: () => void }[] = [];
  registerEmbeddingsProvider(name, {
    ...provider,
    makeEmbeddings: async (wanted) => {
      const embeddings = await provider.makeEmbeddings(wanted);
      const { identity = `${name}:${wanted}` } = embeddings;
      const kept = cachedEmbeddings({ embeddings, model: identity, file });
      open.push(kept);
      return kept;
    },
  });
  return {
    close() {
      registerEmbeddingsProvider(name, provider);
      for (const each of open) each.close();
    },
  };
}
