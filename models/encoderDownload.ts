import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ModelFailed, messageOf } from "../common/errors.js";
import { tellingProgress } from "../common/longWork.js";
import { POOLING_FILE, PROMPTS_FILE, WEIGHTS } from "./encoderFolder.js";
import type { DownloadQuestion } from "./transformers.js";

/** Where models are fetched from, unless HF_ENDPOINT names a mirror. */
const HUB = "https://huggingface.co";

/** Kinds of weights to fetch by default: the first that the model has. */
const USUAL_WEIGHTS = ["q8", "fp32"];

/**
 * The folder of a model from a hub. On first use the package fetches it into its cache, which is the folder
 * TULIPGRAPH_ENCODERS, or else `tulipgraph/encoders` of the user's cache; then it needs no network.
 *
 * @param options.name its name on the hub: "Xenova/all-MiniLM-L6-v2"
 * @param options.download fetches the model, in the thread in which the package runs
 * @throws ModelFailed when the hub lacks it or cannot be reached
 */
export async function downloadedEncoder(options: {
  spec: string;
  name: string;
  dtype?: string;
  download: (question: DownloadQuestion["download"]) => Promise<unknown>;
}): Promise<string> {
  const { spec, name, dtype, download } = options;
  const { TULIPGRAPH_ENCODERS: own, XDG_CACHE_HOME: caches, HF_ENDPOINT: mirror } = process.env;
  const cacheDir = own || join(caches || join(homedir(), ".cache"), "tulipgraph", "encoders");
  const host = `${(mirror || HUB).replace(/\/+$/, "")}/`;
  const folder = join(cacheDir, name);
  const dtypes = dtype === undefined ? USUAL_WEIGHTS : [dtype];
  // The weights are fetched last, so if they are there, everything is.
  if (dtypes.some((kind) => existsSync(join(folder, `onnx/${WEIGHTS[kind]}`)))) return folder;
  try {
    await tellingProgress({ label: "downloading", unit: "bytes", total: 0 }, async () => {
      for (const file of [POOLING_FILE, PROMPTS_FILE]) {
        await fetchSmall(`${host}${name}/resolve/main/${file}`, join(folder, file));
      }
      await download({ name, dtypes, cacheDir, host });
    });
    return folder;
  } catch (error) {
    throw new ModelFailed(
      {
        model: spec,
        problem: `it could not be fetched from ${host}: ${messageOf(error)}`,
        hint: "check its name, that it comes as ONNX, and the network; name a mirror in HF_ENDPOINT, or a folder with the model, such as transformers:./my-model",
      },
      { cause: error },
    );
  }
}

/** Fetches a file that says how to use a model and that the package does not read, if the hub has it. */
async function fetchSmall(url: string, file: string): Promise<void> {
  const token = process.env["HF_TOKEN"];
  // The token is sent to the hub only, never to a mirror.
  const init = token &&
    url.startsWith(`${HUB}/`) && { headers: { authorization: `Bearer ${token}` } };
  const response = await fetch(url, init || {});
  if (!response.ok) return;
  const text = await response.text();
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
