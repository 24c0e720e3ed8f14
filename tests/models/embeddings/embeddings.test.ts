import { Embeddings } from "@langchain/core/embeddings";
import { describe, expect, it, vi } from "vitest";
import { ModelFailed } from "../../../common/errors.js";
import { openEmbeddings } from "../../../models/embeddings/embeddings.js";
import { registerEmbeddingsProvider } from "../../../models/providers.js";
import type { EndpointRequest } from "../../fakes/chatEndpoint.js";
import { KEY, openAiEndpoint, rejectionOf } from "../support.js";

const SPEC = "openai:text-embedding-3-small";

/** A vector of two numbers for each text: its length and one. */
function vectors({ body }: EndpointRequest) {
  return { embeddings: [body.input ?? []].flat().map((text) => [text.length, 1]) };
}

describe("embeddings of OpenAI", () => {
  it("of many texts take several requests, and come in the order of the texts", async () => {
    const { bodies } = await openAiEndpoint(vectors);
    const embeddings = await openEmbeddings(SPEC);
    const texts = Array.from({ length: 1200 }, (_, index) => "x".repeat(index + 1));
    const found = await embeddings.embedDocuments(texts);
    expect(found.map(([length]) => length)).toEqual(texts.map((text) => text.length));
    expect(bodies.length).toBeGreaterThan(1);
    expect(bodies.every(({ input }) => (input?.length ?? 0) <= 2048)).toBe(true);
  });

  it("fail with one line that names the model and no key", async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}\nsecond line` } };
    const { bodies } = await openAiEndpoint({ status: 401, body });
    const embeddings = await openEmbeddings(SPEC);
    // One after the other: a rejection that comes while another one is awaited is nobody's.
    for (const ask of [
      () => embeddings.embedDocuments(["add"]),
      () => embeddings.embedQuery("add"),
    ]) {
      const error = await rejectionOf(ask());
      expect(error).toBeInstanceOf(ModelFailed);
      expect(error.message).toMatch(/^model openai:text-embedding-3-small: [^\n]*HTTP 401[^\n]*$/);
      expect(error.message).not.toContain(KEY);
    }
    expect(bodies).toHaveLength(2);
  });

  it.each([
    ["a page", "<html>"],
    ["too few vectors", { data: [] }],
  ])("fail with a hint at the address when the endpoint sends %s", async (_what, body) => {
    await openAiEndpoint({ status: 200, body });
    const embeddings = await openEmbeddings(SPEC);
    const error = await rejectionOf(embeddings.embedDocuments(["add"]));
    expect(error).toBeInstanceOf(ModelFailed);
    expect(error.message).toContain("OPENAI_BASE_URL");
  });

  it("need no key at an endpoint of the user's own", async () => {
    const { requests } = await openAiEndpoint(vectors);
    vi.stubEnv("OPENAI_API_KEY", undefined);
    const embeddings = await openEmbeddings(SPEC);
    expect(await embeddings.embedQuery("add")).toEqual([3, 1]);
    expect(requests[0]?.headers.authorization).toBe("Bearer none");
  });
});

describe("openEmbeddings", () => {
  it("opens a model once, and again when the endpoint changes", async () => {
    await openAiEndpoint(vectors);
    const first = await openEmbeddings(SPEC);
    expect(await openEmbeddings(SPEC)).toBe(first);
    const { bodies } = await openAiEndpoint(vectors);
    const second = await openEmbeddings(SPEC);
    expect(second).not.toBe(first);
    await second.embedQuery("add");
    expect(bodies).toHaveLength(1);
  });

  it("names the model in any error of a registered provider", async () => {
    class Broken extends Embeddings {
      embedDocuments(): Promise<number[][]> {
        return Promise.reject(new Error("out of\nmemory"));
      }
      embedQuery(): Promise<number[]> {
        return Promise.reject(new Error("out of\nmemory"));
      }
    }
    registerEmbeddingsProvider("broken", { makeEmbeddings: async () => new Broken({}) });
    const embeddings = await openEmbeddings("broken:one");
    const error = await rejectionOf(embeddings.embedDocuments(["x"]));
    expect(error.message).toBe("model broken:one: out of");
  });

  it("tries again after a failure to open", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    vi.stubEnv("OPENAI_BASE_URL", undefined);
    await expect(openEmbeddings(SPEC)).rejects.toThrow("no API key is set");
    await openAiEndpoint(vectors);
    await expect(openEmbeddings(SPEC)).resolves.toBeInstanceOf(Embeddings);
  });
});
