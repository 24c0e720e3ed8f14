import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { openEmbeddings } from "../../../models/embeddings/embeddings.js";
import { loopTurns } from "../../fakes/loopTurns.js";
import { toldProgress } from "../../fakes/toldProgress.js";
import { testFolder, workIn } from "../installed.js";
import { rejectionOf } from "../support.js";
import { lookupNetwork } from "../tinyEncoder.js";

/** What a folder holds, by the names of its files. */
type Files = Record<string, string | Buffer>;

const WORDS: Record<string, [number, number]> = {
  unknown: [0, 1],
  no: [2, 1],
  four: [4, 1],
  "seek:": [5, 1],
};

const TOKENIZER = {
  added_tokens: [],
  normalizer: null,
  post_processor: null,
  decoder: null,
  pre_tokenizer: { type: "WhitespaceSplit" },
  model: {
    type: "WordPiece",
    vocab: Object.fromEntries(Object.keys(WORDS).map((word, at) => [word, at])),
    unk_token: "unknown",
    continuing_subword_prefix: "##",
  },
};

const WEIGHTS = lookupNetwork(Object.values(WORDS));

/** The vector of a token is that of its word. */
const MODEL: Files = {
  "config.json": JSON.stringify({ max_position_embeddings: 3 }),
  "tokenizer.json": JSON.stringify(TOKENIZER),
  "tokenizer_config.json": "{}",
  "onnx/model_quantized.onnx": WEIGHTS,
};

function write(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

function modelFolder(files: Files = MODEL): string {
  return write(join(testFolder(), "tiny"), files);
}

function without(files: Files, ...names: string[]): Files {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
}

function unit(...vector: number[]): unknown[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => expect.closeTo(value / length, 5) as unknown);
}

describe("a model in a folder", () => {
  it("scales the mean of all tokens to unit length", async () => {
    const embeddings = await openEmbeddings(`transformers:${modelFolder()}`);
    const vectors = await embeddings.embedDocuments(["four", "no no four", "four"]);
    expect(vectors).toEqual([unit(4, 1), unit(8, 3), unit(4, 1)]);
    expect(await embeddings.embedQuery("strange")).toEqual(unit(0, 1));
  });

  it("is also found from the program's working folder", async () => {
    const folder = modelFolder();
    workIn(dirname(folder));
    const embeddings = await openEmbeddings(`transformers:./${basename(folder)}`);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1));
  });

  it("reads as many tokens as the model takes, and the last, which marks the end", async () => {
    const embeddings = await openEmbeddings(`transformers:${modelFolder()}`);
    expect(await embeddings.embedQuery("no no four four no")).toEqual(unit(2, 1));
  });

  it("gives each of many texts its vector, by several threads", async () => {
    const embeddings = await openEmbeddings(`transformers:${modelFolder()}`);
    const texts = Array.from({ length: 300 }, (_, at) => `${at % 3 === 0 ? "no" : "four"} ${at}`);
    const vectors = await embeddings.embedDocuments(texts);
    expect(vectors).toEqual(texts.map((_, at) => unit(at % 3 === 0 ? 2 : 4, 2)));
  });

  it.each([
    [{ pooling_mode_cls_token: true, pooling_mode_mean_tokens: false }, unit(2, 1)],
    [{ pooling_mode: "lasttoken" }, unit(4, 1)],
    [{ pooling_mode: "mean" }, unit(3, 1)],
  ])("is pooled as its authors say: %j", async (pooling, expected) => {
    const file = JSON.stringify(pooling);
    const folder = modelFolder({ ...MODEL, "1_Pooling/config.json": file });
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    expect(await embeddings.embedQuery("no four")).toEqual(expected);
  });

  it("is refused if it is pooled in another way", async () => {
    const folder = modelFolder({ ...MODEL, "1_Pooling/config.json": '{"pooling_mode":"max"}' });
    const { message } = await rejectionOf(openEmbeddings(`transformers:${folder}`));
    expect(message).toContain('its pooling "max" is not one of mean, cls, last');
  });

  it("gets its authors' prefixes for queries and documents", async () => {
    const prompts = JSON.stringify({ prompts: { query: "seek: ", document: "no " } });
    const folder = modelFolder({ ...MODEL, "config_sentence_transformers.json": prompts });
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    expect(await embeddings.embedDocuments(["four"])).toEqual([unit(6, 2)]);
    expect(await embeddings.embedQueries?.(["four"])).toEqual([unit(9, 2)]);
  });

  it("may have its weights next to its settings", async () => {
    const files = without(MODEL, "onnx/model_quantized.onnx");
    const folder = modelFolder({ ...files, "model.onnx": WEIGHTS });
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1));
  });

  it("keeps its vectors under a name for the weights, not the folder", async () => {
    const folder = modelFolder();
    const { name } = await openEmbeddings(`transformers:${folder}`);
    expect(name).toMatch(/^transformers:tiny@[0-9a-f]{12}$/);
    const elsewhere = join(testFolder(), "tiny");
    cpSync(folder, elsewhere, { recursive: true });
    expect((await openEmbeddings(`transformers:${elsewhere}`)).name).toBe(name);
    const others = modelFolder({ ...MODEL, "onnx/model_quantized.onnx": "others" });
    expect((await openEmbeddings(`transformers:${others}`)).name).not.toBe(name);
  });

  it("fails with one line if it cannot be loaded, and is tried again", async () => {
    const folder = modelFolder();
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    rmSync(join(folder, "onnx"), { recursive: true });
    const error = await rejectionOf(embeddings.embedQuery("four"));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.message).toMatch(/^model transformers:[^\n]*no such file[^\n]*$/);
    write(folder, MODEL);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1));
  });

  it.each<[string, Files, string]>([
    [
      "settings",
      without(MODEL, "config.json", "tokenizer.json"),
      "lacks config.json, tokenizer.json",
    ],
    ["weights", without(MODEL, "onnx/model_quantized.onnx"), "lacks weights such as onnx/model_"],
    ["everything", {}, "lacks config.json"],
  ])("that lacks %s is one line that says so", async (_what, files, words) => {
    const folder = modelFolder(files);
    const { message } = await rejectionOf(openEmbeddings(`transformers:${folder}`));
    expect(message).toContain(words);
    expect(message).toContain(folder);
    expect(message).not.toContain("\n");
  });
});

/** A hub with one model, set as the mirror until the test ends; `asked` gets what is fetched. */
async function hubWith(files: Files): Promise<{ asked: string[]; to: string }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const file = (request.url ?? "").replace("/maker/tiny/resolve/main/", "");
    asked.push(file);
    expect(request.headers.authorization).toBeUndefined();
    const text = files[file];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  onTestFinished(() => void server.close());
  vi.stubEnv("HF_ENDPOINT", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv("HF_TOKEN", "hf_secret0123456789");
  const to = testFolder();
  vi.stubEnv("TULIPGRAPH_ENCODERS", to);
  return { asked, to };
}

describe("a model of a hub", () => {
  const spec = "transformers:maker/tiny";
  const cls = JSON.stringify({ pooling_mode_cls_token: true });

  it("is fetched once from the mirror, and reports that", async () => {
    const told = toldProgress();
    const { asked, to } = await hubWith({ ...MODEL, "1_Pooling/config.json": cls });
    const embeddings = await openEmbeddings(spec);
    expect(embeddings.name).toMatch(/^transformers:maker\/tiny@[0-9a-f]{12}$/);
    expect(await embeddings.embedQuery("four no")).toEqual(unit(4, 1));
    for (const [file, content] of Object.entries(MODEL)) {
      expect(readFileSync(join(to, "maker/tiny", file))).toEqual(Buffer.from(content));
    }
    expect(told.find(({ hasEnded }) => hasEnded)).toMatchObject({ label: "downloading" });
    const count = asked.length;
    vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
    await openEmbeddings(spec);
    expect(asked).toHaveLength(count);
  });

  it("comes with the exact weights if it has no small ones", async () => {
    await hubWith({ ...without(MODEL, "onnx/model_quantized.onnx"), "onnx/model.onnx": WEIGHTS });
    expect(await (await openEmbeddings(spec)).embedQuery("four")).toEqual(unit(4, 1));
  });

  it("fails with one line if the hub lacks it or cannot be reached", async () => {
    await hubWith({});
    const lacking = await rejectionOf(openEmbeddings(spec));
    expect(lacking.message).toMatch(/could not be fetched from http:[^\n]*Check its name/);
    vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
    const { message } = await rejectionOf(openEmbeddings(spec));
    expect(message).toMatch(/could not be fetched from http:\/\/127\.0\.0\.1:9: [^\n]*HF_ENDPOINT/);
  });

  it("fails with one line if it cannot be stored", async () => {
    await hubWith(MODEL);
    vi.stubEnv("TULIPGRAPH_ENCODERS", "/dev/null/encoders");
    const { message } = await rejectionOf(openEmbeddings(spec));
    expect(message).toMatch(
      /(?:EEXIST|ENOTDIR).*Name a folder that can be written to in TULIPGRAPH_ENCODERS/,
    );
  });

  it.each(["a/b/c", "a/..", "maker/my model"])("is not called %s", async (name) => {
    const { message } = await rejectionOf(openEmbeddings(`transformers:${name}`));
    expect(message).toContain(`"${name}" is neither an existing folder nor the name`);
  });
});

/** MiniLM, for tests; not part of the project. */
const MINILM = resolve("../shared/encoder");
const isThere = existsSync(MINILM);
if (!isThere) process.stderr.write(`the real encoder is not tried: ${MINILM} is not there\n`);

function dot(one: number[] = [], other: number[] = []): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

describe.skipIf(!isThere)("MiniLM in a folder", () => {
  const spec = `transformers:${MINILM}`;

  it("places texts of like meaning nearer to each other than others", async () => {
    const embeddings = await openEmbeddings(spec);
    const [one, like, other] = await embeddings.embedDocuments([
      "area of a circle",
      "calculate how large a circle is",
      "book a flight to Paris",
    ]);
    expect(one).toHaveLength(384);
    expect(Math.hypot(...(one ?? []))).toBeCloseTo(1, 6);
    expect(dot(one, like)).toBeGreaterThan(dot(one, other) + 0.3);
  });

  it("takes texts of any length and script without blocking the event loop", async () => {
    const embeddings = await openEmbeddings(spec);
    const long = "find the invoice of march and send seven copies of it to alice ".repeat(2000);
    let vectors: number[][] = [];
    const turns = await loopTurns(async () => {
      vectors = await embeddings.embedDocuments([long, "", "円の面積", "👋", "مرحبا"]);
    });
    expect(turns).toBeGreaterThan(20);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });
});
