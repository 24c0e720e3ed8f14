import { answerQuestions } from "../tools/threads/answerQuestions.js";
import type { EncoderFolder, Pooling } from "./encoderFolder.js";
import type { DownloadQuestion, EncoderQuestion } from "./transformers.js";

// Entry of the thread in which @huggingface/transformers runs.

/** Most tokens read of a text: what most encoders were trained with, and a bound on memory. */
const MOST_TOKENS = 512;

/** The part of the package that is used here; it is not installed when this is compiled. */
interface Transformers {
  env: { allowRemoteModels: boolean; cacheDir: string; remoteHost: string };
  AutoTokenizer: { from_pretrained: (folder: string) => Promise<Tokenizer> };
  AutoModel: { from_pretrained: (folder: string, options: object) => Promise<Network> };
}

type Tokenizer = ((texts: string[], options: object) => Tokens) & { model_max_length?: number };

interface Tokens {
  attention_mask: { data: BigInt64Array };
}

type Network = ((tokens: Tokens) => Promise<Record<string, Tensor | undefined>>) & {
  config: { max_position_embeddings?: number };
  dispose?: () => Promise<unknown>;
};

interface Tensor {
  /** With a vector per token: texts, tokens, length of the vectors. */
  dims: number[];
  data: Float32Array;
}

interface Encoder {
  network: Network;
  tokens: (texts: string[]) => Tokens;
  pooling: Pooling;
}

const loaded = new Map<string, Promise<Encoder>>();

answerQuestions(async (question: EncoderQuestion | DownloadQuestion) => {
  if ("download" in question) return await download(question);
  const { packageUrl, encoder, texts } = question;
  const key = JSON.stringify(encoder);
  const open = loaded.get(key) ?? load(packageUrl, encoder);
  loaded.set(key, open);
  // Failures are not kept: what was missing may exist next time.
  open.catch(() => loaded.delete(key));
  return await embed(await open, texts);
});

/** Loads a model by its name, so that the package puts all its files into the cache. */
async function download({ packageUrl, download: wanted }: DownloadQuestion): Promise<number[][]> {
  const { name, dtypes, cacheDir, host } = wanted;
  const { env, AutoTokenizer, AutoModel } = await transformers(packageUrl);
  Object.assign(env, { allowRemoteModels: true, cacheDir, remoteHost: host });
  try {
    await AutoTokenizer.from_pretrained(name);
    const failures: unknown[] = [];
    for (const dtype of dtypes) {
      try {
        const network = await AutoModel.from_pretrained(name, { dtype });
        await network.dispose?.();
        return [];
      } catch (error) {
        failures.push(error);
      }
    }
    throw failures[0];
  } finally {
    env.allowRemoteModels = false;
  }
}

async function transformers(packageUrl: string): Promise<Transformers> {
  const imported = (await import(packageUrl)) as Transformers & { default?: Transformers };
  return imported.default ?? imported;
}

async function load(packageUrl: string, encoder: EncoderFolder): Promise<Encoder> {
  const { folder, dtype, subfolder, pooling } = encoder;
  const { env, AutoTokenizer, AutoModel } = await transformers(packageUrl);
  env.allowRemoteModels = false;
  const tokenizer = await AutoTokenizer.from_pretrained(folder);
  const network = await AutoModel.from_pretrained(folder, {
    dtype,
    subfolder,
    // Several threads take twice the CPU time for the same texts and save hardly any wall time.
    session_options: { intraOpNumThreads: 1, interOpNumThreads: 1 },
  });
  const max_length = Math.min(
    MOST_TOKENS,
    tokenizer.model_max_length ?? MOST_TOKENS,
    network.config.max_position_embeddings ?? MOST_TOKENS,
  );
  const tokens = (texts: string[]) =>
    tokenizer(texts, { padding: true, truncation: true, max_length });
  return { network, tokens, pooling };
}

async function embed({ network, tokens, pooling }: Encoder, texts: string[]): Promise<number[][]> {
  const input = tokens(texts);
  const output = await network(input);
  const ready = output["sentence_embedding"];
  const vectors = output["last_hidden_state"] ?? output["token_embeddings"];
  if (!vectors && ready) return texts.map((_text, at) => toUnitLength(rowOf(ready, at)));
  if (!vectors) {
    throw new Error(`it is not a text encoder: its outputs are ${Object.keys(output).join(", ")}`);
  }
  const mask = input.attention_mask.data;
  return texts.map((_text, at) => toUnitLength(pooled({ vectors, mask, at, pooling })));
}

/** One vector for a text from those of its tokens, without the padding. */
function pooled(options: {
  vectors: Tensor;
  mask: BigInt64Array;
  at: number;
  pooling: Pooling;
}): number[] {
  const { vectors, mask, at, pooling } = options;
  const [, length = 0, size = 0] = vectors.dims;
  const real = Array.from({ length }, (_, token) => at * length + token).filter(
    (token) => mask[token] !== 0n,
  );
  const counted = { mean: real, cls: real.slice(0, 1), last: real.slice(-1) }[pooling];
  const sum = Array.from({ length: size }, () => 0);
  for (const token of counted) {
    for (let at = 0; at < size; at += 1) {
      sum[at] = (sum[at] ?? 0) + (vectors.data[token * size + at] ?? 0);
    }
  }
  // It is scaled to unit length, so the sum can stand for the mean.
  return sum;
}

function rowOf({ dims, data }: Tensor, at: number): number[] {
  const size = dims.at(-1) ?? 0;
  return [...data.subarray(at * size, (at + 1) * size)];
}

function toUnitLength(vector: number[]): number[] {
  const length = Math.hypot(...vector);
  return length === 0 ? vector : vector.map((value) => value / length);
}
