import { describe, expect, it, vi } from "vitest";
import { ask } from "../../models/ask.js";
import { openChatModel } from "../../models/chat.js";
import { KEY, actQuestion, openAiEndpoint, rejectionOf } from "./support.js";

const SETTINGS = { maxOutputTokens: 100 };

function withoutOpenAi(): void {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  vi.stubEnv("OPENAI_BASE_URL", undefined);
}

describe("openChatModel", () => {
  it("gives the same client for the same name and settings, and another for others", async () => {
    await openAiEndpoint({ content: "5" });
    const first = await openChatModel("openai:gpt-4.1-mini", SETTINGS);
    expect(await openChatModel("openai:gpt-4.1-mini", { ...SETTINGS })).toBe(first);
    expect(await openChatModel("openai:gpt-4.1", SETTINGS)).not.toBe(first);
    expect(await openChatModel("openai:gpt-4.1-mini", { ...SETTINGS, seed: 1 })).not.toBe(first);
  });

  it("goes to the new endpoint with the new key when they change in the environment", async () => {
    const before = await openAiEndpoint({ content: "5" });
    await ask(actQuestion());
    const after = await openAiEndpoint({ content: "6" });
    vi.stubEnv("OPENAI_API_KEY", "sk-another-0123456789");
    const answer = await ask(actQuestion());
    expect(answer).toHaveProperty("reply.text", "6");
    expect(before.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`]);
    expect(after.requests.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer sk-another-0123456789",
    ]);
  });

  it("needs no key at an endpoint of the user's own", async () => {
    const { requests } = await openAiEndpoint({ content: "5" });
    vi.stubEnv("OPENAI_API_KEY", undefined);
    await ask(actQuestion({ model: "openai:qwen3:8b" }));
    expect(requests[0]?.headers.authorization).toBe("Bearer none");
    expect(requests[0]?.body.model).toBe("qwen3:8b");
  });

  it("names the variable of a missing key and the model that needs none", async () => {
    withoutOpenAi();
    const { name, message } = await rejectionOf(openChatModel("openai:gpt-4.1-mini", SETTINGS));
    expect(name).toBe("ModelFailed");
    expect(message).toBe(
      "model openai:gpt-4.1-mini: no key is set. set OPENAI_API_KEY in the environment or in .env, or use offline:planner, which needs none",
    );
  });

  it("tries again after a failure", async () => {
    withoutOpenAi();
    await expect(openChatModel("openai:gpt-4.1-mini", SETTINGS)).rejects.toThrow("no key");
    vi.stubEnv("OPENAI_API_KEY", KEY);
    await expect(openChatModel("openai:gpt-4.1-mini", SETTINGS)).resolves.toHaveProperty("chat");
  });

  it.each([
    ["anthropic:claude-sonnet-4-5", "ANTHROPIC_API_KEY", "@langchain/anthropic"],
    ["mistralai:mistral-small", "MISTRAL_API_KEY", "@langchain/mistralai"],
    ["groq:llama", "GROQ_API_KEY", "@langchain/groq"],
  ])("says what to install for %s", async (spec, variable, packageName) => {
    vi.stubEnv(variable, KEY);
    const { name, message } = await rejectionOf(openChatModel(spec, SETTINGS));
    expect(name).toBe("ModelFailed");
    expect(message).toBe(
      `model ${spec}: the package ${packageName} is not installed. install it with: npm install ${packageName}`,
    );
  });

  it("reports in one line what a client needs besides a key", async () => {
    vi.stubEnv("AZURE_OPENAI_API_KEY", KEY);
    for (const place of ["API_INSTANCE_NAME", "BASE_PATH", "ENDPOINT"]) {
      vi.stubEnv(`AZURE_OPENAI_${place}`, undefined);
    }
    const { name, message } = await rejectionOf(
      ask(actQuestion({ model: "azure_openai:gpt-4.1" })),
    );
    expect(name).toBe("ModelFailed");
    expect(message).toMatch(/^model azure_openai:gpt-4\.1: [^\n]*(instance|endpoint)[^\n]*$/i);
  });

  it("names the nearest provider for an unknown one", async () => {
    const { name, message } = await rejectionOf(openChatModel("opnai:gpt-4.1-mini", SETTINGS));
    expect(name).toBe("UnknownName");
    expect(message).toContain('unknown model provider "opnai"; did you mean "openai"?');
  });

  it("opens the offline planner", async () => {
    withoutOpenAi();
    const model = await openChatModel("offline:planner", SETTINGS);
    expect(model).toMatchObject({ spec: "offline:planner", structuredReplies: "stage" });
  });
});
