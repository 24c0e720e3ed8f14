import { describe, expect, it } from "vitest";
import type { ChatSettings } from "../../models/providers.js";
import { parseModelSpec, registerChatProvider } from "../../models/providers.js";
import { openChatModel } from "../../models/chat/chat.js";
import { scriptedModel } from "../fakes/scriptedModel.js";

describe("parseModelSpec", () => {
  it.each([
    ["openai:gpt-4.1-mini", "openai", "gpt-4.1-mini"],
    ["ollama:qwen3:8b", "ollama", "qwen3:8b"],
    ["openai:org/model:free", "openai", "org/model:free"],
    ["openai:ft:gpt-4.1-mini:acme::1a", "openai", "ft:gpt-4.1-mini:acme::1a"],
  ])("takes %s apart at the first colon", (spec, provider, model) => {
    expect(parseModelSpec(spec)).toEqual({ provider, model });
  });

  it.each(["gpt-4.1-mini", "", ":", "openai:", ":gpt"])("refuses %j with an example", (spec) => {
    expect(() => parseModelSpec(spec)).toThrow(
      `model ${JSON.stringify(spec)}: is not "provider:name". For example openai:gpt-4.1-mini`,
    );
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
