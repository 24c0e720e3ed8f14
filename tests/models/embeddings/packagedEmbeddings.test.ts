import { describe, expect, it, vi } from "vitest";
import { UnknownName } from "../../../common/errors.js";
import { openEmbeddings } from "../../../models/embeddings/embeddings.js";
import { registerEmbeddingsProvider } from "../../../index.js";
import { wordEmbeddings } from "../../fakes/wordEmbeddings.js";
import { withPackages } from "../installed.js";
import { rejectionOf } from "../support.js";

/** As LangChain's classes are: the model's name is a field, and each text becomes a vector. */
function packageOf(name: string): string {
  return `
    export class Chat${name} {}
    export class ${name}Embeddings {
      constructor({ model }) { this.model = model; }
      async embedDocuments(texts) { return texts.map((text) => [text.length, this.model.length]); }
      async embedQuery(text) { return [-text.length, this.model.length]; }
    }`;
}

const KEYS = ["COHERE_API_KEY", "GOOGLE_API_KEY", "MISTRAL_API_KEY"];

describe("embeddings of a LangChain package", () => {
  it.each([
    ["cohere:embed-v4", "@langchain/cohere"],
    ["google:embedding-001", "@langchain/google-genai"],
    ["google-genai:embedding-001", "@langchain/google-genai"],
    ["mistral:mistral-embed", "@langchain/mistralai"],
    ["mistralai:mistral-embed", "@langchain/mistralai"],
    ["ollama:nomic-embed-text", "@langchain/ollama"],
    ["bedrock:titan", "@langchain/aws"],
  ])("%s are made of its package, which is named where it is missing", async (spec, name) => {
    const { message } = await rejectionOf(openEmbeddings(spec));
    expect(message).toBe(
      `model ${spec}: the package ${name} is not installed. Install it with: npm install ${name}`,
    );
    withPackages({ [name]: packageOf("Any") });
    for (const key of KEYS) vi.stubEnv(key, "secret-0123456789");
    const embeddings = await openEmbeddings(spec);
    const { length } = spec.slice(spec.indexOf(":") + 1);
    expect(await embeddings.embedDocuments(["add"])).toEqual([[3, length]]);
    expect(embeddings.name).toBe(spec);
  });

  it("without a key name its variable", async () => {
    withPackages({ "@langchain/cohere": packageOf("Any") });
    vi.stubEnv("COHERE_API_KEY", undefined);
    const { message } = await rejectionOf(openEmbeddings("cohere:embed-v4"));
    expect(message).toContain("Set COHERE_API_KEY in the environment");
    expect(message).toContain("local:sentence-encoder");
  });

  it("are found by the package's name, whichever provider it is of", async () => {
    withPackages({ "@langchain/newcomer": packageOf("Newcomer") });
    const embeddings = await openEmbeddings("newcomer:small");
    expect(await embeddings.embedDocuments(["add"])).toEqual([[3, 5]]);
  });

  it("tell queries from documents where the provider does", async () => {
    vi.stubEnv("COHERE_API_KEY", "secret-0123456789");
    withPackages({ "@langchain/cohere": packageOf("Cohere") });
    const { embedQueries } = await openEmbeddings("cohere:embed");
    expect(await embedQueries?.(["add", "subtract"])).toEqual([
      [-3, 5],
      [-8, 5],
    ]);
  });

  it("of a package without embeddings fail with one line", async () => {
    withPackages({ "@langchain/talker": "export class ChatTalker {}" });
    const { message } = await rejectionOf(openEmbeddings("talker:x"));
    expect(message).toBe("model talker:x: the package @langchain/talker has no embedding models");
  });

  it("of a class that hides a failure are requested again, which shows the reason", async () => {
    const code = `
      export class ShyEmbeddings {
        async embedDocuments(texts) { return texts.map((text) => (text.length > 3 ? [] : [1, 2])); }
        async embedQuery(text) {
          if (text === "forbidden") throw new Error("the key was refused");
          return [3, 4];
        }
      }`;
    withPackages({ "@langchain/shy": code });
    const embeddings = await openEmbeddings("shy:x");
    expect(await embeddings.embedDocuments(["add", "subtract"])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    const { message } = await rejectionOf(embeddings.embedDocuments(["forbidden"]));
    expect(message).toBe("model shy:x: the key was refused");
  });

  it("of a package with a missing dependency name that dependency", async () => {
    withPackages({ "@langchain/lacking": 'import "nowhere-to-be-found";' });
    const { message } = await rejectionOf(openEmbeddings("lacking:x"));
    expect(message).toContain("npm install nowhere-to-be-found");
  });

  it("of an unknown provider say how to install others", async () => {
    const error = await rejectionOf(openEmbeddings("nobody:x"));
    expect(error).toBeInstanceOf(UnknownName);
    expect(error.message).toContain("npm install @langchain/PROVIDER");
  });
});

describe("a provider that the user registers", () => {
  it("is found by its registered name, with the model after the colon", async () => {
    const dimensions = { small: 8, large: 32 };
    registerEmbeddingsProvider("house", {
      makeEmbeddings: async (model) =>
        wordEmbeddings({ dimensions: dimensions[model as keyof typeof dimensions] }),
    });
    expect(await (await openEmbeddings("house:small")).embedQuery("add")).toHaveLength(8);
    expect(await (await openEmbeddings("house:large")).embedQuery("add")).toHaveLength(32);
  });
});
