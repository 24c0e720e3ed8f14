import { readFileSync } from "node:fs";
import { join } from "node:path";
import { answerQuestions } from "../../tools/calls/workers/answerQuestions.js";
import type { EncoderFolder } from "./encoderFolder.js";
import { toUnitLength } from "./textBatches.js";
import type { EncoderQuestion } from "./transformers.js";

// Entry of a thread in which ONNX Runtime runs.

/** Most tokens read of a text: what most encoders were trained with, and a bound on memory. */
const MOST_TOKENS = 512;

/** The part of the tokenizers' package that is used here; it is optional. */
interface Tokenizers {
  Tokenizer: new (
    tokenizer: object,
    settings: object,
  ) => { encode: (text: string) => { ids: number[] } };
}

/** The part of ONNX Runtime that is used here; it is optional. */
interface Runtime {
  env: { wasm: { numThreads: number }; logLevel: string };
  Tensor: new (type: "int64", data: BigInt64Array, dims: number[]) => object;
  InferenceSession: { create: (weights: string) => Promise<Session> };
}

interface Session {
  inputNames: readonly string[];
  run: (inputs: object) => Promise<Record<string, Output | undefined>>;
}

interface Output {
  /** Last, the length of the vectors. */
  dims: readonly number[];
  data: Float32Array;
}

type Encode = (text: string) => Promise<number[]>;

const loaded = new Map<string, Promise<Encode>>();

answerQuestions(async ({ packages, encoder, texts }: EncoderQuestion) => {
  const key = JSON.stringify(encoder);
  const open = loaded.get(key) ?? load(packages, encoder);
  loaded.set(key, open);
  // Failures are not kept: what was missing may exist next time.
  open.catch(() => loaded.delete(key));
  const encode = await open;
  const vectors: number[][] = [];
  // One by one: in WebAssembly a batch takes as long as its texts, and its padding is extra.
  for (const text of texts) vectors.push(await encode(text));
  return vectors;
});

async function load(packages: string[], encoder: EncoderFolder): Promise<Encode> {
  const { folder, weights, pooling } = encoder;
  const [tokenizers, runtime] = await Promise.all(packages.map((url) => import(url)));
  const { Tokenizer } = tokenizers as Tokenizers;
  const { env, Tensor, InferenceSession } = runtime as Runtime;
  // Threads of the runtime's own wait by spinning, which takes twice the time on a busy machine.
  env.wasm.numThreads = 1;
  env.logLevel = "error";
  const settings = jsonIn(folder, "tokenizer_config.json");
  const tokenizer = new Tokenizer(jsonIn(folder, "tokenizer.json"), settings);
  const limits = [settings["model_max_length"], jsonIn(folder, "config.json")[POSITIONS]];
  const most = Math.min(MOST_TOKENS, ...limits.filter((limit) => typeof limit === "number"));
  const session = await InferenceSession.create(join(folder, weights));
  return async (text) => {
    const { ids } = tokenizer.encode(text);
    // The last token marks the end.
    const read = ids.length > most ? [...ids.slice(0, most - 1), ...ids.slice(-1)] : ids;
    const input = (value: (id: number) => bigint) =>
      new Tensor("int64", BigInt64Array.from(read, value), [1, read.length]);
    const inputs = {
      input_ids: input(BigInt),
      attention_mask: input(() => 1n),
      token_type_ids: input(() => 0n),
    };
    const taken = Object.entries(inputs).filter(([name]) => session.inputNames.includes(name));
    const output = await session.run(Object.fromEntries(taken));
    return toUnitLength(pooled(output, pooling));
  };
}

const POSITIONS = "max_position_embeddings";

function jsonIn(folder: string, file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, unknown>;
}

/** One vector for a text from those of its tokens, unless the network gives it. */
function pooled(
  output: Record<string, Output | undefined>,
  pooling: EncoderFolder["pooling"],
): number[] {
  const whole = output["last_hidden_state"] ?? output["token_embeddings"];
  const found = whole ?? output["sentence_embedding"];
  if (!found)
    throw new Error(`it is not a text encoder: its outputs are ${Object.keys(output).join(", ")}`);
  const size = found.dims.at(-1) ?? 0;
  const length = found.data.length / size;
  const [from, to] = { mean: [0, length], cls: [0, 1], last: [length - 1, length] }[pooling];
  // It is scaled to unit length, so the sum can stand for the mean.
  return Array.from({ length: size }, (_, at) => {
    let sum = 0;
    for (let token = from ?? 0; token < (to ?? 0); token += 1) {
      sum += found.data[token * size + at] ?? 0;
    }
    return sum;
  });
}
