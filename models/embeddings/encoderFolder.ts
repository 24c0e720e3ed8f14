import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ModelFailed } from "../../common/errors.js";

/** How the vectors of a text's tokens become one: their mean, or the vector of the first or last token. */
type Pooling = "mean" | "cls" | "last";

export interface EncoderFolder {
  folder: string;
  pooling: Pooling;
  query: string;
  document: string;
  weights: string;
  /** Hash of all that the vectors depend on: weights, tokenizer, pooling and prefixes. */
  fingerprint: string;
}

/** Files that a model cannot do without, besides its weights. */
export const NEEDED_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json"];

/** Where authors of sentence encoders state how to use them. */
export const POOLING_FILE = "1_Pooling/config.json";
export const PROMPTS_FILE = "config_sentence_transformers.json";

/** The weights in a folder: small and fast before exact ones, wherever exporters put them. */
export function weightsIn(folder: string): string | undefined {
  const names = ["model_quantized", "model", "model_fp16", "model_int8", "model_uint8", "model_q4"];
  const files = ["onnx/", ""].flatMap((place) => names.map((name) => `${place}${name}.onnx`));
  return files.find((file) => existsSync(join(folder, file)));
}

/**
 * Reads how a model in a folder is to be used.
 *
 * @throws ModelFailed when the folder or one of its files is missing, or its pooling is unknown
 */
export async function readEncoderFolder(spec: string, folder: string): Promise<EncoderFolder> {
  const weights = weightsIn(folder);
  const missing = NEEDED_FILES.filter((file) => !existsSync(join(folder, file)));
  if (weights === undefined) missing.push("weights such as onnx/model_quantized.onnx");
  if (weights === undefined || missing.length > 0) {
    throw new ModelFailed({
      model: spec,
      problem: `the folder ${folder} lacks ${missing.join(", ")}`,
      hint: "name a folder with an ONNX model as transformers.js lays it out (other weights are converted with: optimum-cli export onnx --model NAME FOLDER), or a model of a hub as transformers:OWNER/NAME",
    });
  }
  const prompts = (readJson(spec, folder, PROMPTS_FILE)?.["prompts"] ?? {}) as Partial<
    Record<"query" | "document" | "passage", string>
  >;
  const use = {
    pooling: poolingOf(spec, folder),
    query: prompts.query ?? "",
    document: prompts.document ?? prompts.passage ?? "",
  };
  const hash = createHash("sha256").update(JSON.stringify(use));
  for (const file of [weights, "tokenizer.json"]) {
    for await (const part of createReadStream(join(folder, file))) hash.update(part as Buffer);
  }
  return { folder, weights, ...use, fingerprint: hash.digest("hex").slice(0, 12) };
}

/** Reads both forms that sentence-transformers has written. */
function poolingOf(spec: string, folder: string): Pooling {
  const config = readJson(spec, folder, POOLING_FILE);
  if (!config) return "mean";
  const { pooling_mode: mode } = config;
  const flag = Object.keys(config).find(
    (key) => key.startsWith("pooling_mode_") && config[key] === true,
  );
  const name = typeof mode === "string" ? mode : (flag ?? "none").replace("pooling_mode_", "");
  const pooling = POOLING_NAMES[name];
  if (pooling) return pooling;
  throw new ModelFailed({
    model: spec,
    problem: `its pooling "${name}" is not one of ${[...new Set(Object.values(POOLING_NAMES))].join(", ")}`,
    hint: "choose another model",
  });
}

const POOLING_NAMES: Readonly<Record<string, Pooling>> = {
  mean: "mean",
  mean_tokens: "mean",
  cls: "cls",
  cls_token: "cls",
  lasttoken: "last",
};

function readJson(spec: string, folder: string, file: string): Record<string, unknown> | undefined {
  const path = join(folder, file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    const problem = `${path} is not JSON`;
    throw new ModelFailed({ model: spec, problem, hint: "fetch it again" }, { cause });
  }
}
