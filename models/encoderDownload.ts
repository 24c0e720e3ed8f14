import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { ReadableStream } from "node:stream/web";
import { ModelFailed } from "../common/errors.js";
import { tellingProgress } from "../common/longWork.js";
import { modelFailure } from "./failures.js";
import {
  MORE_WEIGHTS,
  NEEDED_FILES,
  POOLING_FILE,
  PROMPTS_FILE,
  WEIGHTS,
} from "./encoderFolder.js";

/** Where models are fetched from, unless HF_ENDPOINT names a mirror. */
const HUB = "https://huggingface.co";

/** Kinds of weights to fetch by default: the first that the model has. */
const USUAL_WEIGHTS = ["q8", "fp32"];

interface Download {
  spec: string;
  /** Its name on the hub: "Xenova/all-MiniLM-L6-v2". */
  name: string;
  dtype?: string;
}

/**
 * The folder of a model from a hub, downloaded on first use. It stays below TULIPGRAPH_ENCODERS, or else in
 * `tulipgraph/encoders` of the user's cache, and then needs no network.
 *
 * @throws ModelFailed when the hub lacks it or cannot be reached
 */
export async function downloadedEncoder({ spec, name, dtype }: Download): Promise<string> {
  const folder = join(encodersFolder(), name);
  const kinds = dtype === undefined ? USUAL_WEIGHTS : [dtype];
  const files = kinds.map((kind) => `onnx/${WEIGHTS[kind]}`);
  // The weights are fetched last, so if they are there, everything is.
  if (files.some((file) => existsSync(join(folder, file)))) return folder;
  await tellingProgress({ label: "downloading", unit: "bytes", total: 0 }, async (tell) => {
    const size = { done: 0, total: 0 };
    const get = (file: string) =>
      fetchFile({ spec, name, folder, file, onStart: (bytes) => (size.total += bytes), onPart });
    const onPart = (bytes: number) => {
      size.done += bytes;
      tell(size);
    };
    for (const file of NEEDED_FILES) {
      if (!(await get(file))) throw missing({ spec, name, file });
    }
    for (const file of [POOLING_FILE, PROMPTS_FILE]) await get(file);
    for (const file of files) {
      if (hasMoreWeights(folder)) await get(file + MORE_WEIGHTS);
      if (await get(file)) return;
    }
    throw missing({ spec, name, file: files.join(" and ") });
  });
  return folder;
}

function encodersFolder(): string {
  const { TULIPGRAPH_ENCODERS: own, XDG_CACHE_HOME: cache } = process.env;
  return own || join(cache || join(homedir(), ".cache"), "tulipgraph", "encoders");
}

function hub(): string {
  return (process.env["HF_ENDPOINT"] || HUB).replace(/\/+$/, "");
}

/** Fetches a file as a whole or not at all; returns false if the hub has no such file. */
async function fetchFile(options: {
  spec: string;
  name: string;
  folder: string;
  file: string;
  onStart: (bytes: number) => void;
  onPart: (bytes: number) => void;
}): Promise<boolean> {
  const { spec, name, folder, file, onStart, onPart } = options;
  const target = join(folder, file);
  const part = `${target}.${process.pid}.part`;
  try {
    const response = await fetch(`${hub()}/${name}/resolve/main/${file}`, { headers: headers() });
    // The hub answers 401 for models it does not have, so that names of private ones cannot be guessed.
    if (response.status === 404 || response.status === 401) return false;
    const { status, statusText } = response;
    if (!response.ok || !response.body) throw Object.assign(new Error(statusText), { status });
    onStart(Number(response.headers.get("content-length") ?? 0));
    mkdirSync(dirname(target), { recursive: true });
    const written = await open(part, "w");
    try {
      for await (const bytes of response.body as ReadableStream<Uint8Array>) {
        await written.write(bytes);
        onPart(bytes.length);
      }
    } finally {
      await written.close();
    }
    renameSync(part, target);
    return true;
  } catch (error) {
    rmSync(part, { force: true });
    throw unreachable({ spec, error });
  }
}

/** The token is sent to the hub only, never to a mirror. */
function headers(): Record<string, string> {
  const token = process.env["HF_TOKEN"];
  return token && hub() === HUB ? { authorization: `Bearer ${token}` } : {};
}

/** Weights of more than 2 GB have a second file, which only the config mentions. */
function hasMoreWeights(folder: string): boolean {
  const config = JSON.parse(readFileSync(join(folder, "config.json"), "utf8")) as {
    "transformers.js_config"?: { use_external_data_format?: unknown };
  };
  return Boolean(config["transformers.js_config"]?.use_external_data_format);
}

function missing({ spec, name, file }: Download & { file: string }): ModelFailed {
  return new ModelFailed({
    model: spec,
    problem: `${hub()} has no ${file} of "${name}"`,
    hint: "check the name, and that the model comes as ONNX; or name a folder, such as transformers:./my-model",
  });
}

function unreachable({ spec, error }: { spec: string; error: unknown }): unknown {
  const failure = modelFailure({ spec, error });
  if (!(failure instanceof ModelFailed)) return failure;
  return new ModelFailed(
    {
      ...failure.details,
      problem: `it could not be fetched from ${hub()}: ${failure.details.problem}`,
      hint: "check the network, name a mirror in HF_ENDPOINT, or name a folder with the model, such as transformers:./my-model",
    },
    { cause: error },
  );
}
