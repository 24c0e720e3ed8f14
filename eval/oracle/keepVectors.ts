import { cachedEmbeddings } from "../../models/embeddingCache.js";
import {
  embeddingsProvider,
  parseModelSpec,
  registerEmbeddingsProvider,
} from "../../models/providers.js";

/**
 * Lets an embedding model keep its vectors in a file: libraries in homes of their own share most of their
 * tools, and to embed 15,000 of them takes minutes. The model keeps its name, by which runs know their
 * defaults. To be called before the model is opened.
 *
 * @param options.embeddings "provider:name"
 * @param options.file as `cachedEmbeddings` has it
 * @returns what closes the file and gives the model back as it was
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
