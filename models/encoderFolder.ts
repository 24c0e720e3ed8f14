import { createHash } from "node:crypto";
import { createReadStream, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { ModelFailed } from "../common/errors.js";

/** How the vectors of a text's tokens become one: their mean, or the vector of the first or last token. */
export const POOLINGS = ["mean", "cls", "last"] as const;
export type Pooling = (typeof POOLINGS)[number];

/** What a user may state about a model if its folder does not. */
export interface EncoderSettings {
  /** Which of the weights: q8, fp32, fp16, … */
  dtype?: string;
  pooling?: Pooling;
  /** Prefixes of queries and documents. */
  query?: string;
  document?: string;
}

/** A model in a folder, ready to be loaded. */
export interface EncoderFolder {
  folder: string;
  dtype: string;
  /** Where in the folder the weights are. */
  subfolder: string;
  pooling: Pooling;
  query: string;
  document: string;
  /** Hash of all that the vectors depend on: weights, tokenizer, pooling and prefixes. */
  fingerprint: string;
}

/** File names of weights by kind, in order of preference: small and fast before exact. */
export const WEIGHTS: Readonly<Record<string, string>> = {
  q8: "model_quantized.onnx",
  fp32: "model.onnx",
  fp16: "model_fp16.onnx",
  int8: "model_int8.onnx",
  uint8: "model_uint8.onnx",
  q4: "model_q4.onnx",
  q4f16: "model_q4f16.onnx",
  bnb4: "model_bnb4.onnx",
};

/** Where exporters put the weights. */
const SUBFOLDERS = ["onnx", ""];

/** Files that a model cannot do without, besides its weights. */
export const NEEDED_FILES = ["config.json", "tokenizer.json", "tokenizer_config.json"];

/** Where authors of sentence encoders state how to use them. */
export const POOLING_FILE = "1_Pooling/config.json";
export const PROMPTS_FILE = "config_sentence_transformers.json";

/** Suffix of the second file of weights that are too large for one. */
export const MORE_WEIGHTS = "_data";

/**
 * Reads how a model in a folder is to be used.
 *
 * @throws ModelFailed when the folder or one of its files is missing, or its pooling is unknown
 */
export async function readEncoderFolder(options: {
  spec: string;
  folder: string;
  settings: EncoderSettings;
}): Promise<EncoderFolder> {
  const { spec, folder, settings } = options;
  requireFiles(spec, folder);
  const weights = weightsIn({ spec, folder, dtype: settings.dtype });
  const prompts = (readJson({ spec, folder, file: PROMPTS_FILE })?.["prompts"] ?? {}) as Prompts;
  const use = {
    pooling: settings.pooling ?? poolingOf(spec, folder),
    query: settings.query ?? prompts.query ?? "",
    document: settings.document ?? prompts.document ?? prompts.passage ?? "",
  };
  const hash = createHash("sha256").update(JSON.stringify(use));
  const file = join(folder, weights.subfolder, weights.file);
  for (const each of [file, file + MORE_WEIGHTS, join(folder, "tokenizer.json")]) {
    if (!existsSync(each)) continue;
    for await (const part of createReadStream(each)) hash.update(part as Buffer);
  }
  const { dtype, subfolder } = weights;
  return { folder, dtype, subfolder, ...use, fingerprint: hash.digest("hex").slice(0, 12) };
}

/** Prefixes of texts, by the kind of text. */
interface Prompts {
  query?: string;
  document?: string;
  passage?: string;
}

function requireFiles(spec: string, folder: string): void {
  if (!existsSync(folder) || !statSync(folder).isDirectory()) {
    throw new ModelFailed({
      model: spec,
      problem: `there is no folder ${folder}`,
      hint: "name a folder with a model, or one of a hub as transformers:OWNER/NAME",
    });
  }
  const missing = NEEDED_FILES.filter((file) => !existsSync(join(folder, file)));
  if (missing.length > 0) throw incomplete(spec, folder, missing.join(", "));
}

function weightsIn(options: { spec: string; folder: string; dtype?: string }): {
  dtype: string;
  subfolder: string;
  file: string;
} {
  const { spec, folder } = options;
  const there = SUBFOLDERS.flatMap((subfolder) =>
    Object.entries(WEIGHTS)
      .filter(([, file]) => existsSync(join(folder, subfolder, file)))
      .map(([dtype, file]) => ({ dtype, subfolder, file })),
  );
  const chosen = there.find(({ dtype }) => dtype === (options.dtype ?? dtype));
  if (chosen) return chosen;
  const wanted = options.dtype && WEIGHTS[options.dtype];
  const missing = wanted ? `onnx/${wanted}` : "weights such as onnx/model_quantized.onnx";
  const others = there.map(({ dtype }) => dtype).join(", ");
  throw incomplete(spec, folder, others ? `${missing} (it has ${others})` : missing);
}

function incomplete(spec: string, folder: string, missing: string): ModelFailed {
  return new ModelFailed({
    model: spec,
    problem: `the folder ${folder} lacks ${missing}`,
    hint: "it has to hold an ONNX model as transformers.js lays it out; other weights are converted with: optimum-cli export onnx --model NAME FOLDER",
  });
}

/** Reads both forms that sentence-transformers has written. */
function poolingOf(spec: string, folder: string): Pooling {
  const config = readJson({ spec, folder, file: POOLING_FILE });
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
    problem: `its pooling "${name}" is not one of ${POOLINGS.join(", ")}`,
    hint: "choose another model, or set one of these with ?pooling=mean",
  });
}

const POOLING_NAMES: Readonly<Record<string, Pooling>> = {
  mean: "mean",
  mean_tokens: "mean",
  cls: "cls",
  cls_token: "cls",
  lasttoken: "last",
};

function readJson(options: {
  spec: string;
  folder: string;
  file: string;
}): Record<string, unknown> | undefined {
  const path = join(options.folder, options.file);
  if (!existsSync(path)) return undefined;
  try {
    return JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch (cause) {
    const problem = `${path} is not JSON`;
    throw new ModelFailed({ model: options.spec, problem, hint: "fetch it again" }, { cause });
  }
}
