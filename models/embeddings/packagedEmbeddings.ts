import type { Embeddings } from "@langchain/core/embeddings";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import type { HostedFacts } from "../hosted.js";
import { missingIn, missingPackage, packageUrl, requirePackage } from "../packages.js";
import {
  type EmbeddingsProvider,
  type ProvidedEmbeddings,
  isAnySet,
  requireKey,
} from "../providers.js";

/** Runs ONNX models. It is large, so that only those who want it install it. */
export const ONNX_RUNTIME = "onnxruntime-web";

interface Packaged {
  package: string;
  /** The class, if the package has several. */
  export?: string;
  /** Environment variable of the key; absent if none is needed, or the class finds it itself. */
  key?: string;
  baseUrl?: string;
  tellsQueries?: boolean;
}

const GOOGLE = { package: "@langchain/google-genai", key: "GOOGLE_API_KEY" };
const MISTRAL = { package: "@langchain/mistralai", key: "MISTRAL_API_KEY" };

/** Providers that need more than a package of their own name. */
const KNOWN: Record<string, Packaged> = {
  ollama: { package: "@langchain/ollama", baseUrl: "OLLAMA_BASE_URL" },
  google: GOOGLE,
  "google-genai": GOOGLE,
  cohere: { package: "@langchain/cohere", key: "COHERE_API_KEY", tellsQueries: true },
  mistral: MISTRAL,
  mistralai: MISTRAL,
  azure_openai: {
    package: "@langchain/openai",
    export: "AzureOpenAIEmbeddings",
    key: "AZURE_OPENAI_API_KEY",
  },
  bedrock: { package: "@langchain/aws" },
};

/** The known providers; whoever uses one is told which package to install. */
export function packagedProviders(): [string, EmbeddingsProvider][] {
  return Object.entries(KNOWN).map(([name, packaged]) => [name, providerOf(name, packaged)]);
}

/** All providers of embeddings but the packaged encoder, and what they need. */
export function embeddingsFacts(): [string, HostedFacts][] {
  const openai = { package: "@langchain/openai", key: "OPENAI_API_KEY" };
  return Object.entries({ transformers: { package: ONNX_RUNTIME }, openai, ...KNOWN });
}

/** Any other provider whose package is installed: `@langchain/NAME`, or a part of the community package. */
export function installedProvider(name: string): EmbeddingsProvider | undefined {
  if (!/^[a-z][a-z0-9_-]*$/.test(name)) return undefined;
  const places = [`@langchain/${name}`, `@langchain/community/embeddings/${name}`];
  const place = places.find((each) => packageUrl(each) !== undefined);
  return place === undefined ? undefined : providerOf(name, { package: place });
}

function providerOf(name: string, packaged: Packaged): EmbeddingsProvider {
  return {
    environment: [packaged.key, packaged.baseUrl].filter((variable) => variable !== undefined),
    isSetUp: () => isAnySet(packaged.key, packaged.baseUrl),
    makeEmbeddings: (model) => makePackaged(`${name}:${model}`, model, packaged),
  };
}

async function makePackaged(
  spec: string,
  model: string,
  packaged: Packaged,
): Promise<ProvidedEmbeddings> {
  const { key, tellsQueries } = packaged;
  const url = requirePackage(spec, packaged.package);
  requireKey({ spec, key, keyless: LOCAL_EMBEDDINGS });
  const { RETRIES, modelFailure } = await import("../chat/failures.js");
  try {
    const Model = embeddingsClass(packaged, (await import(url)) as Record<string, unknown>);
    // Community classes name this field differently.
    const made = whole(new Model({ model, modelName: model, ...RETRIES }));
    if (!tellsQueries) return made;
    const embedQueries = (texts: string[]) =>
      Promise.all(texts.map((text) => made.embedQuery(text)));
    return Object.assign(made, { embedQueries });
  } catch (error) {
    const name = missingIn(error);
    throw name === undefined
      ? modelFailure({ spec, error })
      : missingPackage({ spec, name, cause: error });
  }
}

type EmbeddingsClass = new (fields: Record<string, unknown>) => Embeddings;

/** @throws Error for a package without embedding models */
function embeddingsClass(packaged: Packaged, module: Record<string, unknown>): EmbeddingsClass {
  const exports = { ...(module["default"] as object | undefined), ...module };
  const classes = Object.entries(exports).filter(([name]) =>
    packaged.export ? name === packaged.export : name.endsWith("Embeddings"),
  );
  const [first] = classes;
  if (first && typeof first[1] === "function") return first[1] as EmbeddingsClass;
  throw new Error(`the package ${packaged.package} has no embedding models`);
}

/**
 * Google's class swallows a failed request and returns an empty vector for each of its texts. These are embedded again,
 * one by one, which gives the vector or the reason.
 */
function whole(embeddings: Embeddings): Embeddings {
  const embed = embeddings.embedDocuments.bind(embeddings);
  const embedDocuments = async (texts: string[]) => {
    const vectors = await embed(texts);
    for (const [at, text] of texts.entries()) {
      if (vectors[at]?.length === 0) vectors[at] = await embeddings.embedQuery(text);
    }
    return vectors;
  };
  return Object.assign(embeddings, { embedDocuments });
}
