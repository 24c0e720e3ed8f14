import { describe, expect, it } from "vitest";
import { dollarsOf, embeddingDollars, embeddingPrice, priceOf } from "../../models/prices.js";
import { NOTHING_USED } from "../../state/state.js";

const EMBEDDINGS = "openai:text-embedding-3-small";

describe("the price of a chat model", () => {
  it.each([
    ["openai:gpt-4.1-mini", 0.4, 1.6],
    ["openai:gpt-4.1-mini-2025-04-14", 0.4, 1.6],
    ["openai:gpt-3.5-turbo-0125", 0.5, 1.5],
    ["openai:gpt-4-turbo-2024-04-09", 10, 30],
    ["openai:gpt-4o-2024-05-13", 5, 15],
    ["openai:gpt-4o-2024-08-06", 2.5, 10],
    ["anthropic:claude-3-5-haiku-20241022", 0.8, 4],
    ["google-genai:gemini-2.0-flash", 0.1, 0.4],
    ["google-vertexai:gemini-2.0-flash", 0.1, 0.4],
    ["mistralai:mistral-large-latest", 2, 6],
    ["groq:llama-3.3-70b-versatile", 0.59, 0.79],
    ["azure_openai:gpt-4.1", 2, 8],
    ["bedrock:amazon.nova-lite-v1:0", 0.06, 0.24],
    ["together:deepseek-ai/DeepSeek-V3", 1.25, 1.25],
    ["fireworks:accounts/fireworks/models/deepseek-v3p1", 0.56, 1.68],
    ["perplexity:sonar", 1, 1],
  ])("%s is %d and %d dollars for a million tokens", async (spec, input, output) => {
    expect(await priceOf(spec)).toMatchObject({ inputPerMillion: input, outputPerMillion: output });
  });

  it.each(["offline:planner", "ollama:qwen3", "local:anything", "fake:model"])(
    "%s is nothing",
    async (spec) => {
      expect(await priceOf(spec)).toStrictEqual({ inputPerMillion: 0, outputPerMillion: 0 });
    },
  );

  it.each(["openai:gpt-99", "openai:gpt-3.5-turbo-0613", "nobody:gpt-4.1", "openai:constructor"])(
    "%s is not known",
    async (spec) => {
      expect(await priceOf(spec)).toBeUndefined();
    },
  );
});

describe("the price of an embedding model", () => {
  it("is known of OpenAI's, and nothing on one's own machine", () => {
    expect(embeddingPrice("openai:text-embedding-3-large")).toBe(0.13);
    expect(embeddingPrice("openai:text-embedding-ada-002")).toBe(0.1);
    expect(embeddingPrice("local:sentence-encoder")).toBe(0);
    expect(embeddingPrice("openai:text-embedding-9")).toBeUndefined();
  });

  it("makes the dollars of a library", async () => {
    const tokens = { embeddingTokens: 500_000 };
    expect(await embeddingDollars({ embeddings: EMBEDDINGS, ...tokens })).toBe(0.01);
    expect(await embeddingDollars({ embeddings: "nobody:words", ...tokens })).toBeNull();
  });
});

describe("the dollars of a run", () => {
  const usage = {
    ...NOTHING_USED,
    inputTokens: 1_000_000,
    outputTokens: 100_000,
    embeddingTokens: 50_000,
  };

  it("are those of reading, writing and searching", async () => {
    const dollars = await dollarsOf({ model: "openai:gpt-4.1", embeddings: EMBEDDINGS, usage });
    // 1 · 2 + 0.1 · 8 + 0.05 · 0.02
    expect(dollars).toBeCloseTo(2.801, 12);
  });

  it("are fewer for what the provider has read from its cache", async () => {
    const cached = { ...usage, cachedTokens: 600_000 };
    const models = { model: "openai:gpt-4.1", embeddings: EMBEDDINGS };
    // 0.4 · 2 + 0.6 · 0.5 + 0.1 · 8 + 0.05 · 0.02
    expect(await dollarsOf({ ...models, usage: cached })).toBeCloseTo(1.901, 12);
  });

  it.each([
    { model: "openai:gpt-99", embeddings: EMBEDDINGS },
    { model: "openai:gpt-4.1", embeddings: "nobody:words" },
  ])("are not known where a price is not: %j", async (models) => {
    expect(await dollarsOf({ ...models, usage })).toBeNull();
    expect(await dollarsOf({ ...models, usage: NOTHING_USED })).toBeNull();
  });
});
