import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, isAbsolute, resolve } from "node:path";
import { Embeddings } from "@langchain/core/embeddings";
import { InvalidSetting, ModelFailed } from "../common/errors.js";
import { ThreadFailed, askedThread } from "../tools/threads/askedThread.js";
import { downloadedEncoder } from "./encoderDownload.js";
import {
  type EncoderFolder,
  type EncoderSettings,
  POOLINGS,
  WEIGHTS,
  readEncoderFolder,
} from "./encoderFolder.js";
import { missingPackage, packageUrl } from "./packages.js";
import type { ProvidedEmbeddings } from "./providers.js";
import { inBatches } from "./textBatches.js";

const PACKAGE = "@huggingface/transformers";

/** Without install scripts: one of them downloads libraries for graphics cards. */
const INSTALL = `npm install --ignore-scripts ${PACKAGE}`;

/** A question to the thread with the networks. */
export interface EncoderQuestion {
  packageUrl: string;
  encoder: EncoderFolder;
  texts: string[];
}

/** Asks the thread to fetch a model from a hub into the package's cache. */
export interface DownloadQuestion {
  packageUrl: string;
  download: {
    name: string;
    /** Kinds of weights: the first that the model has. */
    dtypes: string[];
    cacheDir: string;
    /** The hub's address, with a slash at its end. */
    host: string;
  };
}

/**
 * An embedding model that `@huggingface/transformers` runs in a thread of this process: from a folder, without a
 * network, or from a hub by its name, downloaded once.
 *
 * Pooling and the prefixes of queries and documents are read from the model's files, as sentence-transformers writes
 * them. What these do not state is given after a question mark: `pooling` (mean, cls, last), `query`, `document`, and
 * `dtype` for the weights. The default is the mean of all tokens.
 *
 * Vectors have unit length. They are kept under a name with a fingerprint of the weights, so that a different model in
 * the same folder counts as a different model.
 *
 * @param model "NAME_OR_FOLDER" or "NAME_OR_FOLDER?pooling=cls&dtype=fp32"
 * @throws ModelFailed when the package or the folder is missing or wrong, or the hub cannot be reached
 * @throws InvalidSetting for an unknown setting after the question mark, or a wrong value
 * @example
 * await transformersEmbeddings("./models/all-MiniLM-L6-v2");
 * await transformersEmbeddings("Xenova/e5-small-v2?query=query:%20&document=passage:%20");
 */
export async function transformersEmbeddings(model: string): Promise<ProvidedEmbeddings> {
  const spec = `transformers:${model}`;
  const [place, words] = splitOnce(model, "?");
  const settings = settingsIn(spec, words);
  const url = packageUrl(PACKAGE);
  if (url === undefined) throw missingPackage({ spec, name: PACKAGE, install: INSTALL });
  const folder = isFolder(place)
    ? resolve(place.replace(/^~(?=[/\\])/, homedir()))
    : await downloadedEncoder({
        spec,
        name: requireName(spec, place),
        dtype: settings.dtype,
        download: (download) => askNetwork({ packageUrl: url, download }),
      });
  const encoder = await readEncoderFolder({ spec, folder, settings });
  const name = isFolder(place) ? basename(folder) : place;
  const identity = `transformers:${name}@${encoder.fingerprint}`;
  return new FolderEncoder({ spec, identity, url, encoder });
}

class FolderEncoder extends Embeddings implements ProvidedEmbeddings {
  readonly identity: string;
  readonly embedQueries?: (texts: string[]) => Promise<number[][]>;
  private readonly embed: (texts: readonly string[]) => Promise<number[][]>;
  private readonly encoder: EncoderFolder;

  constructor(made: { spec: string; identity: string; url: string; encoder: EncoderFolder }) {
    super({});
    const { spec, identity, url, encoder } = made;
    this.identity = identity;
    this.encoder = encoder;
    this.embed = inBatches((texts) =>
      askNetwork({ packageUrl: url, encoder, texts }).catch((error: unknown) => fail(spec, error)),
    );
    if (encoder.query === encoder.document) return;
    this.embedQueries = (texts) => this.embed(texts.map((text) => encoder.query + text));
  }

  embedDocuments(texts: string[]): Promise<number[][]> {
    return this.embed(texts.map((text) => this.encoder.document + text));
  }

  async embedQuery(text: string): Promise<number[]> {
    const [vector = []] = await this.embed([this.encoder.query + text]);
    return vector;
  }
}

const askNetwork = askedThread<
  (question: EncoderQuestion | DownloadQuestion) => Promise<number[][]>
>(new URL("./transformersThread.js", import.meta.url));

function fail(spec: string, cause: unknown): never {
  if (!(cause instanceof ThreadFailed)) throw cause;
  const problem = cause.isLoaded ? cause.message : `its thread did not start: ${cause.message}`;
  throw new ModelFailed({ model: spec, problem }, { cause });
}

/** Whether it begins like a path, or exists. */
function isFolder(place: string): boolean {
  return /^[.~]|\\/.test(place) || isAbsolute(place) || existsSync(place);
}

function requireName(spec: string, place: string): string {
  if (/^[\w-][\w.-]*(?:\/[\w-][\w.-]*)?$/.test(place)) return place;
  throw new ModelFailed({
    model: spec,
    problem: `"${place}" is neither an existing folder nor the name of a model on a hub`,
    hint: "for example transformers:./my-model or transformers:Xenova/all-MiniLM-L6-v2",
  });
}

/** The settings after the question mark; undefined for those that take any text. */
const CHOICES: Readonly<Record<keyof EncoderSettings, readonly string[] | undefined>> = {
  dtype: Object.keys(WEIGHTS),
  pooling: POOLINGS,
  query: undefined,
  document: undefined,
};

function settingsIn(spec: string, words?: string): EncoderSettings {
  const given = Object.fromEntries(new URLSearchParams(words));
  for (const [key, value] of Object.entries(given)) {
    const known: readonly string[] = Object.keys(CHOICES);
    const choices = known.includes(key) ? CHOICES[key as keyof EncoderSettings] : [];
    if (choices === undefined || choices.includes(value)) continue;
    const problem = known.includes(key)
      ? `${key} "${value}" is not one of ${choices.join(", ")}`
      : `"${key}" is not one of ${known.join(", ")}`;
    throw new InvalidSetting({ setting: `embeddings ${spec}`, problem });
  }
  return given;
}

function splitOnce(text: string, mark: string): [string, string?] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
