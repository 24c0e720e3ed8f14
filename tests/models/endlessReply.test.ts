import { type Server, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { ChatGenerationChunk, type ChatResult } from "@langchain/core/outputs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ask } from "../../models/chat/ask.js";
import { registerChatProvider } from "../../models/providers.js";
import { actQuestion, rejectionOf, someTools } from "./support.js";

/** Enough that a deadline which is missed is missed by far, and one that is met is not by chance. */
const PATIENCE_MS = 20_000;

/** A limit of tokens that is not met before the deadline. */
const MANY_TOKENS = 100_000_000;

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  vi.unstubAllEnvs();
});

type Delta = Record<string, unknown>;

const TEXT: Delta = { content: "and so on " };
const ARGUMENTS: Delta = { tool_calls: [{ index: 0, function: { arguments: "1, " } }] };
const CALL: Delta = {
  tool_calls: [
    { index: 0, id: "c", type: "function", function: { name: "tool_0", arguments: "" } },
  ],
};

describe("a reply that does not end", () => {
  it.each([
    ["text", [], TEXT],
    ["arguments of a call", [CALL], ARGUMENTS],
    ["nothing", [], { content: "" }],
  ])(
    "is given up at the deadline, although parts of it come without pause: %s",
    async (_, first, again) => {
      await endlessEndpoint(first, again);
      const settings = { modelTimeoutMs: 1500, maxOutputTokens: MANY_TOKENS };
      const question = actQuestion(settings, { tools: someTools(1) });
      const error = await withoutStarving(() => rejectionOf(ask(question)));
      expect(error.message).toContain("did not answer in time (1500 ms)");
    },
    PATIENCE_MS,
  );

  it.each([
    ["text", [], TEXT],
    ["arguments of a call", [CALL], ARGUMENTS],
  ])("ends at the limit of tokens, and nothing of it is used: %s", async (_, first, again) => {
    await endlessEndpoint(first, again);
    const question = actQuestion({ maxOutputTokens: 50 }, { tools: someTools(1) });
    const answer = await ask(question);
    expect(answer).not.toHaveProperty("reply");
    expect(answer).toMatchObject({ unfinished: { why: "length", tokens: 50 } });
  });

  it(
    "is given up at the deadline where the model never waits for anything",
    async () => {
      registerChatProvider("restless", {
        structuredReplies: "stage",
        makeChat: async () => new RestlessModel({}),
      });
      const settings = { model: "restless:m", modelTimeoutMs: 500, maxOutputTokens: MANY_TOKENS };
      const error = await rejectionOf(ask(actQuestion(settings)));
      expect(error.message).toContain("did not answer in time (500 ms)");
    },
    PATIENCE_MS,
  );
});

/** Says the same for ever, and never lets anything else run. */
class RestlessModel extends BaseChatModel {
  _llmType(): string {
    return "restless";
  }

  async _generate(): Promise<ChatResult> {
    throw new Error("is streamed");
  }

  override async *_streamResponseChunks(_messages: BaseMessage[]) {
    for (;;) {
      const message = new AIMessageChunk({ content: "and so on " });
      yield new ChatGenerationChunk({ message, text: message.text });
    }
  }
}

/** Runs something while a timer keeps ticking. */
async function withoutStarving<Value>(work: () => Promise<Value>): Promise<Value> {
  let ticks = 0;
  const clock = setInterval(() => ticks++, 50);
  try {
    return await work();
  } finally {
    clearInterval(clock);
    expect(ticks).toBeGreaterThan(3);
  }
}

/** An endpoint that streams the same part again and again, as fast as it is read. */
async function endlessEndpoint(first: Delta[], again: Delta): Promise<void> {
  const event = (delta: Delta) =>
    `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", created: 0, model: "m", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
  const many = event(again).repeat(200);
  server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(first.map(event).join(""));
    const write = () => {
      while (!response.destroyed && response.write(many));
    };
    response.on("drain", write);
    write();
  });
  await new Promise<void>((done) => server?.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  vi.stubEnv("OPENAI_BASE_URL", `http://127.0.0.1:${port}/v1`);
  vi.stubEnv("OPENAI_API_KEY", "sk-test");
}
