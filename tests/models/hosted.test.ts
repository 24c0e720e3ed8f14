import { describe, expect, it, vi } from "vitest";
import { ask } from "../../models/chat/ask.js";
import { openChatModel } from "../../models/chat/chat.js";
import { KEY, actQuestion, rejectionOf } from "./support.js";

const SETTINGS = { maxOutputTokens: 100 };

function withoutOpenAi(): void {
  vi.stubEnv("OPENAI_API_KEY", undefined);
  vi.stubEnv("OPENAI_BASE_URL", undefined);
}

describe("openChatModel", () => {
  it("names the variable of a missing key and the model that needs none", async () => {
    withoutOpenAi();
    const { name, message } = await rejectionOf(openChatModel("openai:gpt-4.1-mini", SETTINGS));
    expect(name).toBe("ModelFailed");
    expect(message).toBe(
      "model openai:gpt-4.1-mini: no API key is set. Set OPENAI_API_KEY in the environment or in .env, or name a model that needs none (see: tulipgraph models)",
    );
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
      `model ${spec}: the package ${packageName} is not installed. Install it with: npm install ${packageName}`,
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
});
