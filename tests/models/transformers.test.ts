import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { basename, dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { InvalidSetting, ModelFailed } from "../../common/errors.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { toldProgress } from "../fakes/toldProgress.js";
import { testFolder, withPackages, workIn } from "./installed.js";
import { rejectionOf } from "./support.js";

/**
 * A stand-in for the package, for what this project does with it: a token for each word, whose vector is the word's
 * length, a one, and what the weights' file begins with.
 */
const TRANSFORMERS = `
  import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
  import { dirname, join } from "node:path";
  export const env = { allowRemoteModels: true };
  // Asked for a model by its name, it fetches its files into its cache, as the package does.
  async function fetched(place, files) {
    if (!env.allowRemoteModels) return;
    for (const file of files) {
      const answer = await fetch(env.remoteHost + place + "/resolve/main/" + file);
      if (!answer.ok) throw new Error("Could not locate file: " + file);
      mkdirSync(dirname(join(env.cacheDir, place, file)), { recursive: true });
      writeFileSync(join(env.cacheDir, place, file), await answer.text());
    }
  }
  export const AutoTokenizer = {
    async from_pretrained(place) {
      await fetched(place, ["config.json", "tokenizer.json", "tokenizer_config.json"]);
      return (texts, { max_length }) => {
        const words = texts.map((text) => text.split(" ").slice(0, max_length));
        const longest = Math.max(...words.map(({ length }) => length));
        const mask = words.flatMap((each) =>
          Array.from({ length: longest }, (_, at) => (at < each.length ? 1n : 0n)),
        );
        return { words, longest, attention_mask: { data: BigInt64Array.from(mask) } };
      };
    },
  };
  export const AutoModel = {
    async from_pretrained(place, { dtype, subfolder = "onnx" }) {
      const file = { q8: "model_quantized.onnx", fp32: "model.onnx" }[dtype];
      await fetched(place, ["onnx/" + file]);
      const folder = env.allowRemoteModels ? join(env.cacheDir, place) : place;
      const weight = Number(readFileSync(join(folder, subfolder, file), "utf8")[0]);
      const network = async ({ words, longest }) => {
        const rows = words.flatMap((each) =>
          Array.from({ length: longest }, (_, at) => [(each[at] ?? "padding").length, 1, weight]),
        );
        const data = Float32Array.from(rows.flat());
        return { last_hidden_state: { dims: [words.length, longest, 3], data } };
      };
      return Object.assign(network, { config: { max_position_embeddings: 4 } });
    },
  };`;

/** The first token's vector stands for a text. */
const CLS = JSON.stringify({ pooling_mode_cls_token: true });

const PACKAGE = "@huggingface/transformers";

/** What a folder holds, by the names of its files. */
type Files = Record<string, string>;

const MODEL: Files = {
  "config.json": "{}",
  "tokenizer.json": "{}",
  "tokenizer_config.json": "{}",
  "onnx/model_quantized.onnx": "2 and more",
};

function write(folder: string, files: Files): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A folder with a model, in which the test works with the stand-in installed. */
function modelFolder(files: Files = MODEL): string {
  return write(join(withPackages({ [PACKAGE]: TRANSFORMERS }), "tiny"), files);
}

function without(files: Files, ...names: string[]): Files {
  return Object.fromEntries(Object.entries(files).filter(([name]) => !names.includes(name)));
}

function unit(...vector: number[]): unknown[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => expect.closeTo(value / length, 5) as unknown);
}

describe("a model in a folder", () => {
  it("scales the mean of all tokens to unit length, whatever else is in the batch", async () => {
    const embeddings = await openEmbeddings(`transformers:${modelFolder()}`);
    const vectors = await embeddings.embedDocuments(["four", "a to z or", "no", "four"]);
    expect(vectors).toEqual([unit(4, 1, 2), unit(6 / 4, 1, 2), unit(2, 1, 2), unit(4, 1, 2)]);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1, 2));
  });

  it("is also found from the program's working folder", async () => {
    const folder = modelFolder();
    const embeddings = await openEmbeddings(`transformers:./${basename(folder)}`);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1, 2));
  });

  it("reads as many tokens as the model takes", async () => {
    const embeddings = await openEmbeddings(`transformers:${modelFolder()}`);
    expect(await embeddings.embedQuery("a a a a and so on")).toEqual(unit(1, 1, 2));
  });

  it.each([
    ["", unit(2, 1, 2)],
    ["?pooling=last", unit(4, 1, 2)],
    ["?pooling=mean", unit(3, 1, 2)],
  ])("is pooled as its authors say, or as it is named: %s", async (words, expected) => {
    const pooling = JSON.stringify({
      pooling_mode_cls_token: true,
      pooling_mode_mean_tokens: false,
    });
    const folder = modelFolder({ ...MODEL, "1_Pooling/config.json": pooling });
    const embeddings = await openEmbeddings(`transformers:${folder}${words}`);
    expect(await embeddings.embedQuery("no four")).toEqual(expected);
  });

  it("gets its authors' prefixes for queries and documents", async () => {
    const prompts = JSON.stringify({ prompts: { query: "search_for: ", document: "d " } });
    const folder = modelFolder({ ...MODEL, "config_sentence_transformers.json": prompts });
    const embeddings = await openEmbeddings(`transformers:${folder}?pooling=cls`);
    expect(await embeddings.embedDocuments(["four"])).toEqual([unit(1, 1, 2)]);
    expect(await embeddings.embedQueries?.(["four"])).toEqual([unit(11, 1, 2)]);
    const named = await openEmbeddings(`transformers:${folder}?pooling=cls&query=seek:%20`);
    expect(await named.embedQuery("four")).toEqual(unit(5, 1, 2));
  });

  it("may have its weights next to its settings, and several of them", async () => {
    const files = { ...without(MODEL, "onnx/model_quantized.onnx"), "model.onnx": "7" };
    const folder = modelFolder(files);
    expect(await (await openEmbeddings(`transformers:${folder}`)).embedQuery("four")).toEqual(
      unit(4, 1, 7),
    );
    write(folder, { "onnx/model_quantized.onnx": "3" });
    for (const [words, weight] of [
      ["?dtype=fp32", 7],
      ["?dtype=q8", 3],
    ] as const) {
      const embeddings = await openEmbeddings(`transformers:${folder}${words}`);
      expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1, weight));
    }
  });

  it("keeps its vectors under a name for the weights, not the folder", async () => {
    const folder = modelFolder();
    const { name } = await openEmbeddings(`transformers:${folder}`);
    expect(name).toMatch(/^transformers:tiny@[0-9a-f]{12}$/);
    const elsewhere = join(testFolder(), "tiny");
    cpSync(folder, elsewhere, { recursive: true });
    expect((await openEmbeddings(`transformers:${elsewhere}`)).name).toBe(name);
    write(elsewhere, { "onnx/model_quantized.onnx": "2 and others" });
    expect((await openEmbeddings(`transformers:${elsewhere}?`)).name).not.toBe(name);
    expect((await openEmbeddings(`transformers:${folder}?pooling=cls`)).name).not.toBe(name);
  });

  it("fails with one line if it cannot be loaded, and is tried again", async () => {
    const folder = modelFolder();
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    rmSync(join(folder, "onnx"), { recursive: true });
    const error = await rejectionOf(embeddings.embedQuery("four"));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.message).toMatch(/^model transformers:[^\n]*no such file[^\n]*$/);
    write(folder, MODEL);
    expect(await embeddings.embedQuery("four")).toEqual(unit(4, 1, 2));
  });

  it("fails with one line if the package is broken", async () => {
    const code = 'throw new Error("no such machine\\nmore");';
    const folder = write(join(withPackages({ [PACKAGE]: code }), "tiny"), MODEL);
    const embeddings = await openEmbeddings(`transformers:${folder}`);
    const { message } = await rejectionOf(embeddings.embedQuery("four"));
    expect(message).toMatch(/^model transformers:[^\n]*: Error: no such machine more$/);
  });

  it.each<[string, Files, string]>([
    [
      "settings",
      without(MODEL, "config.json", "tokenizer.json"),
      "lacks config.json, tokenizer.json",
    ],
    ["weights", without(MODEL, "onnx/model_quantized.onnx"), "lacks weights such as onnx/model_"],
    ["everything", {}, "there is no folder"],
  ])("that lacks %s is one line that says so", async (_what, files, words) => {
    const folder = modelFolder(files);
    const { message } = await rejectionOf(openEmbeddings(`transformers:${folder}`));
    expect(message).toContain(words);
    expect(message).toContain(folder);
    expect(message).not.toContain("\n");
  });

  it("is refused with unknown settings", async () => {
    const folder = modelFolder();
    for (const [words, expected] of [
      ["?pooling=max", 'pooling "max" is not one of mean, cls, last'],
      ["?dtype=q9", 'dtype "q9" is not one of q8, fp32'],
      ["?revision=2", '"revision" is not one of dtype, pooling, query, document'],
    ] as const) {
      const error = await rejectionOf(openEmbeddings(`transformers:${folder}${words}`));
      expect(error).toBeInstanceOf(InvalidSetting);
      expect(error.message).toContain(expected);
    }
    const { message } = await rejectionOf(openEmbeddings(`transformers:${folder}?dtype=fp32`));
    expect(message).toContain("lacks onnx/model.onnx (it has q8)");
  });

  it("says how to install a missing package", async () => {
    workIn(testFolder());
    const { message } = await rejectionOf(openEmbeddings("transformers:./anything"));
    expect(message).toContain(`the package ${PACKAGE} is not installed`);
    expect(message).toContain(`npm install --ignore-scripts ${PACKAGE}`);
  });
});

/** A hub with one model, set as the mirror until the test ends; `asked` gets what is fetched. */
async function hubWith(files: Files): Promise<{ asked: string[]; to: string }> {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const file = (request.url ?? "").replace("/maker/tiny/resolve/main/", "");
    asked.push(file);
    expect(request.headers.authorization).toBeUndefined();
    const text = files[file];
    response.writeHead(text === undefined ? 404 : 200).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  vi.stubEnv("HF_ENDPOINT", `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv("HF_TOKEN", "hf_secret0123456789");
  withPackages({ [PACKAGE]: TRANSFORMERS });
  const to = testFolder();
  vi.stubEnv("TULIPGRAPH_ENCODERS", to);
  return { asked, to };
}

describe("a model of a hub", () => {
  const spec = "transformers:maker/tiny";

  it("is fetched once from the mirror into the package's cache, and reports that", async () => {
    const told = toldProgress();
    const { asked, to } = await hubWith({ ...MODEL, "1_Pooling/config.json": CLS });
    const embeddings = await openEmbeddings(spec);
    expect(embeddings.name).toMatch(/^transformers:maker\/tiny@[0-9a-f]{12}$/);
    expect(await embeddings.embedQuery("four letters")).toEqual(unit(4, 1, 2));
    for (const [file, text] of Object.entries(MODEL)) {
      expect(readFileSync(join(to, "maker/tiny", file), "utf8")).toBe(text);
    }
    expect(told.find(({ hasEnded }) => hasEnded)).toMatchObject({ label: "downloading" });
    const count = asked.length;
    await openEmbeddings(`${spec}?pooling=mean`);
    expect(asked).toHaveLength(count);
  });

  it("comes with the exact weights if it has no small ones", async () => {
    const { "onnx/model_quantized.onnx": weights = "", ...rest } = MODEL;
    await hubWith({ ...rest, "onnx/model.onnx": weights });
    expect(await (await openEmbeddings(spec)).embedQuery("four")).toEqual(unit(4, 1, 2));
  });

  it("fails with one line if the hub lacks it", async () => {
    await hubWith({});
    const { message } = await rejectionOf(openEmbeddings(spec));
    expect(message).toMatch(/could not be fetched from http:[^\n]*check its name[^\n]*HF_ENDPOINT/);
  });

  it("says what to do without a network", async () => {
    withPackages({ [PACKAGE]: TRANSFORMERS });
    vi.stubEnv("TULIPGRAPH_ENCODERS", testFolder());
    vi.stubEnv("HF_ENDPOINT", "http://127.0.0.1:9");
    const { message } = await rejectionOf(openEmbeddings(spec));
    expect(message).toMatch(
      /could not be fetched from http:\/\/127\.0\.0\.1:9\/: [^\n]*HF_ENDPOINT/,
    );
  });

  it("has a name of one or two parts", async () => {
    withPackages({ [PACKAGE]: TRANSFORMERS });
    for (const name of ["a/b/c", "a/..", "maker/my model"]) {
      const { message } = await rejectionOf(openEmbeddings(`transformers:${name}`));
      expect(message).toContain(`"${name}" is neither an existing folder nor the name`);
    }
  });
});
