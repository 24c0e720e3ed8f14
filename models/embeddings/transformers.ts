import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, resolve } from "node:path";
import { Embeddings } from "@langchain/core/embeddings";
import { ModelFailed } from "../../common/errors.js";
import { ThreadFailed } from "../../tools/calls/workers/askedThread.js";
import { downloadedEncoder } from "./encoderDownload.js";
import { type EncoderFolder, readEncoderFolder } from "./encoderFolder.js";
import { requirePackage } from "../packages.js";
import { ONNX_RUNTIME } from "./packagedEmbeddings.js";
import type { ProvidedEmbeddings } from "../providers.js";
import { encoderThreads, inBatches } from "./textBatches.js";

export interface EncoderQuestion {
  /** Where the tokenizers' package and ONNX Runtime are. */
  packages: string[];
  encoder: EncoderFolder;
  texts: string[];
}

/**
 * An embedding model as ONNX, run by the WebAssembly build of ONNX Runtime in threads of this process: from a folder,
 * without a network, or from a hub by its name, downloaded once.
 *
 * Pooling and the prefixes of queries and documents are read from the model's files, as sentence-transformers writes
 * them (`1_Pooling/config.json`, `config_sentence_transformers.json`). Without them, a text's vector is the mean of its
 * tokens'.
 *
 * Vectors have unit length. They are kept under a name with a fingerprint of the weights, so that a different model in
 * the same folder counts as a different model.
 *
 * @throws ModelFailed when the packages or the folder are missing or wrong, or the hub cannot be reached
 * @example
 * await transformersEmbeddings("./models/all-MiniLM-L6-v2");
 * await transformersEmbeddings("Xenova/all-MiniLM-L6-v2");
 */
export async function transformersEmbeddings(place: string): Promise<ProvidedEmbeddings> {
  const spec = `transformers:${place}`;
  const packages = ["@huggingface/tokenizers", ONNX_RUNTIME].map((name) =>
    requirePackage(spec, name),
  );
  const isFolder = /^[.~]|\\/.test(place) || isAbsolute(place) || existsSync(place);
  const folder = isFolder
    ? resolve(place.replace(/^~(?=[/\\])/, homedir()))
    : await downloadedEncoder(spec, requireName(spec, place));
  const encoder = await readEncoderFolder(spec, folder);
  const identity = `transformers:${isFolder ? basename(folder) : place}@${encoder.fingerprint}`;
  return new FolderEncoder(spec, identity, { packages, encoder });
}

class FolderEncoder extends Embeddings implements ProvidedEmbeddings {
  readonly embedQueries?: (texts: string[]) => Promise<number[][]>;
  private readonly embed: (texts: readonly string[]) => Promise<number[][]>;

  constructor(
    spec: string,
    readonly identity: string,
    private readonly network: Omit<EncoderQuestion, "texts">,
  ) {
    super({});
    this.embed = inBatches((texts, thread) =>
      askNetwork({ ...network, texts }, thread).catch((error: unknown) => fail(spec, error)),
    );
    const { query, document } = network.encoder;
    if (query === document) return;
    this.embedQueries = (texts) => this.embed(texts.map((text) => query + text));
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return this.embed(texts.map((text) => this.network.encoder.document + text));
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.embed([this.network.encoder.query + text]);
    return vector;
  }
}

const askNetwork = encoderThreads<(question: EncoderQuestion) => Promise<number[][]>>(
  new URL("./transformersThread.js", import.meta.url),
);

function fail(spec: string, cause: unknown): never {
  if (!(cause instanceof ThreadFailed)) throw cause;
  const problem = cause.isLoaded ? cause.message : `its thread did not start: ${cause.message}`;
  throw new ModelFailed({ model: spec, problem }, { cause });
}

function requireName(spec: string, place: string): string {
  if (/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/.test(place)) return place;
  throw new ModelFailed({
    model: spec,
    problem: `"${place}" is neither an existing folder nor the name of a model on a hub`,
    hint: "for example transformers:./my-model or transformers:Xenova/all-MiniLM-L6-v2",
  });
}
