import { Embeddings } from "@langchain/core/embeddings";
import { LONGEST_SEARCHED, beginning } from "../common/bounds.js";
import { LOCAL_EMBEDDINGS } from "../state/context.js";
import { modelFailure } from "./failures.js";
import { requireKey } from "./keys.js";
import {
  connectionOf,
  embeddingsProvider,
  parseModelSpec,
  registerEmbeddingsProvider,
} from "./providers.js";
import { RETRIES } from "./retries.js";

/** Milliseconds for one request of embeddings; the texts of a large library take several. */
const REQUEST_TIMEOUT_MS = 60_000;

const OPENAI = { key: "OPENAI_API_KEY", baseUrl: "OPENAI_BASE_URL" };

registerEmbeddingsProvider(parseModelSpec(LOCAL_EMBEDDINGS).provider, {
  makeEmbeddings: async () => {
    const { SentenceEncoder } = await import("./encoder.js");
    return new SentenceEncoder();
  },
});

registerEmbeddingsProvider("openai", {
  environment: Object.values(OPENAI),
  makeEmbeddings: async (model) => {
    const apiKey = requireKey({ spec: `openai:${model}`, ...OPENAI, keyless: LOCAL_EMBEDDINGS });
    const { OpenAIEmbeddings } = await import("@langchain/openai");
    return new OpenAIEmbeddings({
      model,
      ...(apiKey ? { apiKey } : {}),
      // The client decodes base64 by default, and makes noise of the numbers of a server that knows none.
      encodingFormat: "float",
      timeout: REQUEST_TIMEOUT_MS,
      configuration: { logLevel: "off" },
      ...RETRIES,
    });
  },
});

const openModels = new Map<string, Promise<Embeddings>>();

/**
 * Opens an embedding model by its name, once, as long as its key and endpoint in the environment stay
 * the same. Its own failures arrive as ModelFailed.
 *
 * @throws ModelFailed when its key is missing
 * @throws UnknownName for a provider that does not exist
 */
export async function openEmbeddings(spec: string): Promise<Embeddings> {
  const { provider } = embeddingsProvider(spec);
  const key = JSON.stringify([spec, connectionOf(provider)]);
  const open = openModels.get(key) ?? makeOpen(spec);
  openModels.set(key, open);
  open.catch(() => openModels.delete(key));
  return open;
}

async function makeOpen(spec: string): Promise<Embeddings> {
  const { provider, model } = embeddingsProvider(spec);
  return new NamedEmbeddings(spec, await provider.makeEmbeddings(model));
}

/** An embedding model whose failures name it, and which is given no more of a text than models read. */
class NamedEmbeddings extends Embeddings {
  constructor(
    private readonly spec: string,
    private readonly embeddings: Embeddings,
  ) {
    super({});
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    const read = texts.map((text) => beginning(text, LONGEST_SEARCHED));
    return this.named(() => this.embeddings.embedDocuments(read));
  }

  embedQuery(text: string): Promise<number[]> {
    return this.named(() => this.embeddings.embedQuery(beginning(text, LONGEST_SEARCHED)));
  }

  private async named<Vectors>(embed: () => Promise<Vectors>): Promise<Vectors> {
    try {
      return await embed();
    } catch (error) {
      throw modelFailure({ spec: this.spec, error });
    }
  }
}
