import { Embeddings } from "@langchain/core/embeddings";
import { LONGEST_SEARCHED } from "../../common/bounds.js";
import { beginning } from "../../common/text.js";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import { installedProvider, packagedProviders } from "./packagedEmbeddings.js";
import {
  connectionOf,
  embeddingsProvider,
  isAnySet,
  knowsEmbeddings,
  parseModelSpec,
  type ProvidedEmbeddings,
  registerEmbeddingsProvider,
  requireKey,
} from "../providers.js";

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
  isSetUp: () => isAnySet(...Object.values(OPENAI)),
  makeEmbeddings: async (model) => {
    const apiKey = requireKey({ spec: `openai:${model}`, ...OPENAI, keyless: LOCAL_EMBEDDINGS });
    const { OpenAIEmbeddings } = await import("../chat/langchainOpenAi.js");
    const { RETRIES } = await import("../chat/failures.js");
    return new OpenAIEmbeddings({
      model,
      ...(apiKey ? { apiKey } : {}),
      // The client expects base64 by default, and garbles the numbers of a server that sends none.
      encodingFormat: "float",
      timeout: REQUEST_TIMEOUT_MS,
      configuration: { logLevel: "off" },
      ...RETRIES,
    });
  },
});

registerEmbeddingsProvider("transformers", {
  environment: ["HF_ENDPOINT", "TULIPGRAPH_ENCODERS"],
  // Any name would be fetched from a hub, and a folder would be read.
  isSetUp: () => false,
  makeEmbeddings: async (model) => {
    const { transformersEmbeddings } = await import("./transformers.js");
    return await transformersEmbeddings(model);
  },
});

for (const [name, provider] of packagedProviders()) registerEmbeddingsProvider(name, provider);

interface OpenEmbeddings extends Embeddings, Pick<ProvidedEmbeddings, "embedQueries"> {
  /** Its vectors are kept under this name: "provider:name", or one that names the exact weights. */
  name: string;
}

const openModels = new Map<string, Promise<OpenEmbeddings>>();

/**
 * Opens an embedding model by its name; the same name gives the same model while its key and endpoint in the
 * environment stay the same. Its failures arrive as ModelFailed.
 *
 * @throws ModelFailed when its key, its package or its weights are missing
 * @throws UnknownName for a provider that does not exist
 */
export async function openEmbeddings(spec: string): Promise<OpenEmbeddings> {
  const { provider: name } = parseModelSpec(spec);
  const installed = knowsEmbeddings(name) ? undefined : installedProvider(name);
  if (installed) registerEmbeddingsProvider(name, installed);
  const { provider, model } = embeddingsProvider(spec);
  const key = JSON.stringify([spec, connectionOf(provider)]);
  const make = async () => new NamedEmbeddings(spec, await provider.makeEmbeddings(model));
  const open = openModels.get(key) ?? make();
  openModels.set(key, open);
  open.catch(() => openModels.delete(key));
  return open;
}

export async function namedEmbeddings(spec: string) {
  const embeddings = await openEmbeddings(spec);
  return { name: embeddings.name, embeddings };
}

/** An embedding model whose failures name it; texts are cut to what searches read. */
class NamedEmbeddings extends Embeddings implements OpenEmbeddings {
  readonly name: string;
  readonly embedQueries?: (texts: string[]) => Promise<number[][]>;

  constructor(
    private readonly spec: string,
    private readonly embeddings: ProvidedEmbeddings,
  ) {
    super({});
    this.name = embeddings.identity ?? spec;
    if (embeddings.embedQueries) {
      const embed = embeddings.embedQueries.bind(embeddings);
      this.embedQueries = (texts) => this.named(() => embed(texts.map(asRead)));
    }
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return this.named(() => this.embeddings.embedDocuments(texts.map(asRead)));
  }

  embedQuery(text: string): Promise<number[]> {
    return this.named(() => this.embeddings.embedQuery(asRead(text)));
  }

  private async named<Vectors>(embed: () => Promise<Vectors>): Promise<Vectors> {
    try {
      return await embed();
    } catch (error) {
      const { modelFailure } = await import("../chat/failures.js");
      throw modelFailure({ spec: this.spec, error });
    }
  }
}

function asRead(text: string): string {
  return beginning(text, LONGEST_SEARCHED);
}
