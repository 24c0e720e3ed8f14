import { describe, expect, it, vi } from "vitest";
import type { ChatSettings } from "../../models/providers.js";
import {
  chatProvider,
  connectionOf,
  parseModelSpec,
  registerChatProvider,
} from "../../models/providers.js";
import { openChatModel } from "../../models/chat.js";
import { scriptedModel } from "../fakes/scriptedModel.js";

describe("parseModelSpec", () => {
  it.each([
    ["openai:gpt-4.1-mini", "openai", "gpt-4.1-mini"],
    ["ollama:qwen3:8b", "ollama", "qwen3:8b"],
    ["openai:org/model:free", "openai", "org/model:free"],
  ])("takes %s apart at the first colon", (spec, provider, model) => {
    expect(parseModelSpec(spec)).toEqual({ provider, model });
  });

  it.each(["gpt-4.1-mini", "", ":", "openai:", ":gpt"])("refuses %j with an example", (spec) => {
    expect(() => parseModelSpec(spec)).toThrow(
      `model ${JSON.stringify(spec)}: is not "provider:name". for example openai:gpt-4.1-mini`,
    );
  });
});

describe("chatProvider", () => {
  it("finds a registered provider, with the model's name after the colon", () => {
    const provider = {
      structuredReplies: "stage" as const,
      makeChat: () => Promise.reject(new Error("is not to be made")),
    };
    registerChatProvider("own", provider);
    expect(chatProvider("own:a:b")).toEqual({ provider, model: "a:b" });
  });

  it("does not take what every object inherits for a provider", () => {
    expect(() => chatProvider("constructor:x")).toThrow('unknown model provider "constructor"');
  });
});

describe("connectionOf", () => {
  it("changes only with the environment variables of the provider", () => {
    const provider = { environment: ["TULIPGRAPH_TEST_KEY"] };
    vi.stubEnv("TULIPGRAPH_TEST_KEY", "one");
    const before = connectionOf(provider);
    vi.stubEnv("TULIPGRAPH_TEST_OTHER", "two");
    expect(connectionOf(provider)).toEqual(before);
    vi.stubEnv("TULIPGRAPH_TEST_KEY", "two");
    expect(connectionOf(provider)).not.toEqual(before);
    vi.unstubAllEnvs();
  });
});

describe("a registered provider", () => {
  it("is given the model's name and the settings", async () => {
    const seen: [string, ChatSettings][] = [];
    const { chat } = await openChatModel(scriptedModel([{ text: "hi" }]).spec, {
      maxOutputTokens: 1,
    });
    registerChatProvider("seen", {
      structuredReplies: "stage",
      makeChat: async (model, settings) => {
        seen.push([model, settings]);
        return chat;
      },
    });
    await openChatModel("seen:m", { maxOutputTokens: 5, temperature: 0.5 });
    expect(seen).toEqual([["m", { maxOutputTokens: 5, temperature: 0.5 }]]);
  });
});
