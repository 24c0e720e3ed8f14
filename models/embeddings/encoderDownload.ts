import { createWriteStream, renameSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { Writable } from "node:stream";
import { connectionHint, reasonOf } from "../../common/connections.js";
import { ModelFailed } from "../../common/errors.js";
import { tellingProgress } from "../../common/longWork.js";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import { makeFolder } from "../../storage/files.js";
import { packageUrl } from "../packages.js";
import { NEEDED_FILES, POOLING_FILE, PROMPTS_FILE, weightsIn } from "./encoderFolder.js";
import { ONNX_RUNTIME } from "./packagedEmbeddings.js";

/** Finds more than the packaged encoder (docs/retrieval.md), but has to be downloaded. */
const BETTER = { name: "Xenova/all-MiniLM-L6-v2", megabytes: 23 };

const RUNTIME_MEGABYTES = 140;

const HUB = "https://huggingface.co";

/** Where models are fetched from: Hugging Face, unless HF_ENDPOINT names a mirror. */
export function hub(): string {
  return (process.env["HF_ENDPOINT"] || HUB).replace(/\/+$/, "");
}

/** Small weights before exact ones. */
const WEIGHTS = ["onnx/model_quantized.onnx", "onnx/model.onnx"];

/**
 * The folder of a model from a hub: fetched on first use into TULIPGRAPH_ENCODERS, or else `tulipgraph/encoders` of the
 * user's cache; then it needs no network.
 *
 * @param name its name on the hub: "Xenova/all-MiniLM-L6-v2"
 * @throws ModelFailed when the hub lacks it or cannot be reached
 */
export async function downloadedEncoder(spec: string, name: string): Promise<string> {
  const { TULIPGRAPH_ENCODERS: own, XDG_CACHE_HOME: caches } = process.env;
  const cache = own || join(caches || join(homedir(), ".cache"), "tulipgraph", "encoders");
  const host = hub();
  const folder = join(cache, name);
  // The weights are fetched last, so if they are there, everything is.
  if (weightsIn(folder) !== undefined) return folder;
  const get = (file: string) =>
    fetchFile(`${host}/${name}/resolve/main/${file}`, join(folder, file));
  try {
    await tellingProgress({ label: "downloading", unit: "bytes", total: 0 }, async () => {
      for (const file of [...NEEDED_FILES, POOLING_FILE, PROMPTS_FILE]) await get(file);
      for (const file of WEIGHTS) if (await get(file)) return;
      throw new Error(`there is no ${WEIGHTS.join(" or ")}`);
    });
    return folder;
  } catch (error) {
    const isOfDisk = error instanceof Error && "syscall" in error;
    throw new ModelFailed(
      {
        model: spec,
        problem: `it could not be fetched from ${host}: ${reasonOf(error)}`,
        hint: isOfDisk
          ? "name a folder that can be written to in TULIPGRAPH_ENCODERS"
          : (connectionHint(error) ??
            "check its name, that it comes as ONNX, and the network; name a mirror in HF_ENDPOINT, or a folder with the model, such as transformers:./my-model"),
      },
      { cause: error },
    );
  }
}

/** Fetches a file if the hub has it; one that broke off is not taken for whole. */
async function fetchFile(url: string, file: string): Promise<boolean> {
  const token = process.env["HF_TOKEN"];
  // The token is sent to the hub only, never to a mirror.
  const init = token &&
    url.startsWith(`${HUB}/`) && { headers: { authorization: `Bearer ${token}` } };
  const { ok, status, body } = await fetch(url, init || {});
  if (status === 404) return false;
  if (!ok || body === null) throw new Error(`${url} answered HTTP ${status}`);
  makeFolder(dirname(file));
  await body.pipeTo(Writable.toWeb(createWriteStream(`${file}.part`)));
  renameSync(`${file}.part`, file);
  return true;
}

/**
 * How to use a better encoder, in one line, for whoever searches with the packaged one; undefined if another one is in
 * use. Nothing is asked of the network.
 */
export function encoderOffer(inUse: string): string | undefined {
  if (inUse !== LOCAL_EMBEDDINGS) return undefined;
  const { name, megabytes } = BETTER;
  const setting = `TULIPGRAPH_EMBEDDINGS=transformers:${name} to .env`;
  const from = URL.canParse(hub()) ? new URL(hub()).host : hub();
  const isInstalled = packageUrl(ONNX_RUNTIME) !== undefined;
  const size = isInstalled ? "" : ` and a runtime of ${RUNTIME_MEGABYTES} MB`;
  const how = isInstalled ? `add ${setting}` : `run npm install ${ONNX_RUNTIME} and add ${setting}`;
  return `searches often find more of the right tools with the encoder all-MiniLM-L6-v2 (${megabytes} MB from ${from}${size}); to use it, ${how}`;
}
