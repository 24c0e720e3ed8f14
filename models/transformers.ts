import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, resolve } from "node:path";
import { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, ModelFailed } from "../common/errors.js";
import { EXTRAS } from "../common/extras.js";
import { ThreadFailed } from "../tools/threads/askedThread.js";
import { downloadedEncoder } from "./encoderDownload.js";
import {
  type EncoderFolder,
  type EncoderSettings,
  POOLINGS,
  readEncoderFolder,
} from "./encoderFolder.js";
import { missingPackage, packageUrl } from "./packages.js";
import type { ProvidedEmbeddings } from "./providers.js";
import { encoderThreads, inBatches } from "./textBatches.js";

/** A question to the thread with the network. */
export interface EncoderQuestion {
  /** Where the packages of the extra "onnx" are: tokenizer, runtime. */
  packages: string[];
  encoder: EncoderFolder;
  texts: string[];
}

/**
 * An embedding model as ONNX, run by the WebAssembly build of ONNX Runtime in threads of this process: from a folder,
 * without a network, or from a hub by its name, downloaded once.
 *
 * Pooling and the prefixes of queries and documents are read from the model's files, as sentence-transformers writes
 * them. What these do not state is given after a question mark: `pooling` (mean, cls, last), `query`, `document`. The
 * default is the mean of all tokens.
 *
 * Vectors have unit length. They are kept under a name with a fingerprint of the weights, so that a different model in
 * the same folder counts as a different model.
 *
 * @param model "NAME_OR_FOLDER" or "NAME_OR_FOLDER?pooling=cls"
 * @throws ModelFailed when the packages or the folder are missing or wrong, or the hub cannot be reached
 * @throws InvalidSetting for an unknown setting after the question mark, or a wrong value
 * @example
 * await transformersEmbeddings("./models/all-MiniLM-L6-v2");
 * await transformersEmbeddings("Xenova/e5-small-v2?query=query:%20&document=passage:%20");
 */
export async function transformersEmbeddings(model: string): Promise<ProvidedEmbeddings> {
  const spec = `transformers:${model}`;
  const [place = "", ...words] = model.split("?");
  const settings = settingsIn(spec, words.join("?"));
  const packages = EXTRAS.onnx.packages.map((name) => requirePackage(spec, name));
  const isFolder = /^[.~]|\\/.test(place) || isAbsolute(place) || existsSync(place);
  const folder = isFolder
    ? resolve(place.replace(/^~(?=[/\\])/, homedir()))
    : await downloadedEncoder(spec, requireName(spec, place));
  const encoder = await readEncoderFolder(spec, folder, settings);
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

function requirePackage(spec: string, name: string): string {
  const url = packageUrl(name);
  if (url !== undefined) return url;
  throw missingPackage({ spec, name, install: "npx tulipgraph setup onnx" });
}

function requireName(spec: string, place: string): string {
  if (/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/.test(place)) return place;
  throw new ModelFailed({
    model: spec,
    problem: `"${place}" is neither an existing folder nor the name of a model on a hub`,
    hint: "for example transformers:./my-model or transformers:Xenova/all-MiniLM-L6-v2",
  });
}

function settingsIn(spec: string, words: string): EncoderSettings {
  const given: EncoderSettings = Object.fromEntries(new URLSearchParams(words));
  const setting = `embeddings ${spec}`;
  const unknown = Object.keys(given).find((key) => !SETTINGS.includes(key));
  if (unknown !== undefined) {
    const problem = `"${unknown}" is not one of ${SETTINGS.join(", ")}`;
    throw new InvalidSetting({ setting, problem });
  }
  if (given.pooling !== undefined && !POOLINGS.includes(given.pooling)) {
    const problem = `pooling "${given.pooling}" is not one of ${POOLINGS.join(", ")}`;
    throw new InvalidSetting({ setting, problem });
  }
  return given;
}

const SETTINGS = ["pooling", "query", "document"];
