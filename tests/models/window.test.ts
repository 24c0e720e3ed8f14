import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { describe, expect, it } from "vitest";
import { ask } from "../../models/chat/ask.js";
import { windowAfter } from "../../models/chat/window.js";
import { actPrompt } from "../../nodes/acting/actPrompt.js";
import type { ActInput } from "../../nodes/acting/actInput.js";
import { earlierTurns } from "../../state/history.js";
import { shortenedConversation, tokensOf } from "../../state/shortened.js";
import type { ChatBody } from "../fakes/chatEndpoint.js";
import { actQuestion, openAiEndpoint, rejectionOf, replyOf, someTools } from "./support.js";

/** Characters of a prompt that the endpoints here take. */
const MOST = 7000;

const sizeOf = ({ messages }: ChatBody) => JSON.stringify(messages).length;

const tokens = (body: ChatBody) => Math.ceil(sizeOf(body) / 4);
const LIMIT = MOST / 4;

/** How providers refuse a prompt that is too long: the status, and the body for a number of tokens. */
const REFUSALS: [string, number, (sent: number) => unknown][] = [
  [
    "OpenAI",
    400,
    (sent) => ({
      error: {
        message: `This model's maximum context length is ${LIMIT} tokens. However, your messages resulted in ${sent} tokens. Please reduce the length of the messages.`,
        code: "context_length_exceeded",
      },
    }),
  ],
  [
    "OpenAI, without numbers",
    400,
    () => ({
      error: {
        message: "Your input exceeds the context window of this model. Please adjust your input.",
        code: "context_length_exceeded",
      },
    }),
  ],
  [
    "vLLM",
    400,
    (sent) => ({
      object: "error",
      message: `This model's maximum context length is ${LIMIT + 4096} tokens. However, you requested ${sent + 4096} tokens (${sent} in the messages, 4096 in the completion). Please reduce the length of the messages or completion.`,
    }),
  ],
  [
    "llama.cpp",
    400,
    (sent) => ({
      error: {
        code: 400,
        message: `request (${sent} tokens) exceeds the available context size (${LIMIT} tokens), try increasing it`,
        type: "exceed_context_size_error",
      },
    }),
  ],
  [
    "llama.cpp, as a fault of its own",
    500,
    () => ({ error: { message: "the request exceeds the available context size" } }),
  ],
  [
    "Ollama",
    400,
    () => ({ error: { message: "prompt too long; exceeded max context length by 12 tokens" } }),
  ],
  [
    "Anthropic",
    400,
    (sent) => ({ error: { message: `prompt is too long: ${sent} tokens > ${LIMIT} maximum` } }),
  ],
  [
    "Groq",
    413,
    (sent) => ({
      error: {
        message: `Request too large for model on tokens per minute (TPM): Limit ${LIMIT}, Requested ${sent}, please reduce your message size and try again.`,
      },
    }),
  ],
  [
    "LM Studio, with HTTP 200",
    200,
    (sent) => ({
      error: `Trying to keep the first ${sent} tokens when context the overflows. However, the model is loaded with context length of only ${LIMIT} tokens, which is not enough.`,
    }),
  ],
  [
    "OpenRouter",
    400,
    (sent) => ({
      error: {
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: `{"error":{"message":"This model's maximum context length is ${LIMIT} tokens. However, your messages resulted in ${sent} tokens."}}`,
        },
      },
    }),
  ],
  [
    "Text Generation Inference",
    422,
    (sent) => ({
      error: `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${LIMIT}. Given: ${sent} \`inputs\` tokens and 0 \`max_new_tokens\``,
      error_type: "validation",
    }),
  ],
  [
    "GitHub Models",
    413,
    () => ({
      error: { message: `Request body too large for gpt-4o model. Max size: ${LIMIT} tokens.` },
    }),
  ],
  ["Zhipu", 400, () => ({ error: { code: "1261", message: "Prompt exceeds max length" } })],
  [
    "DashScope",
    400,
    () => ({ error: { message: `Range of input length should be [1, ${LIMIT}]` } }),
  ],
  [
    "vLLM, of the engine",
    400,
    (sent) => ({
      message: `The decoder prompt (length ${sent}) is longer than the maximum model length of ${LIMIT}.`,
    }),
  ],
  ["Bedrock", 400, () => ({ message: "Input is too long for requested model." })],
];

/** A conversation of turns with a call each, and an open request. */
function conversation(turns: number): BaseMessage[] {
  return [
    ...Array.from({ length: turns }, (_, at) => [
      new HumanMessage(`Question ${at}. ${"More about it. ".repeat(20)}`),
      new AIMessage({ content: "", tool_calls: [{ id: `c${at}`, name: "tool_1", args: { at } }] }),
      new ToolMessage({ tool_call_id: `c${at}`, content: `Result ${at}. ${"data ".repeat(200)}` }),
      new AIMessage(`Answer ${at}.`),
    ]).flat(),
    new HumanMessage("The open request."),
  ];
}

function questionAfter(turns: number, settings = {}) {
  const question = actQuestion(settings, { tools: someTools(2) });
  const earlier = conversation(turns);
  const input = {
    ...(question.prompt.input as ActInput),
    earlierTurns: earlierTurns({ messages: earlier }),
  };
  return { ...question, prompt: actPrompt(input, { earlier, since: [] }) };
}

async function refusingEndpoint(status: number, bodyFor: (sent: number) => unknown) {
  return await openAiEndpoint(({ body }) =>
    sizeOf(body) > MOST ? { status, body: bodyFor(tokens(body)) } : { content: "Done." },
  );
}

describe("a conversation that is longer than a model's window", () => {
  it.each(REFUSALS)("is shortened as the endpoint says, and from then on: %s", async (...given) => {
    const [, status, bodyFor] = given;
    const { bodies } = await refusingEndpoint(status, bodyFor);
    expect(replyOf(await ask(questionAfter(8))).used.shortened).toBeGreaterThan(0);
    const refused = bodies.filter((body) => sizeOf(body) > MOST).length;
    for (const turns of [9, 10]) {
      expect(replyOf(await ask(questionAfter(turns))).reply.text).toBe("Done.");
    }
    expect(bodies.filter((body) => sizeOf(body) > MOST)).toHaveLength(refused);
    const { messages = [] } = bodies.at(-1) ?? {};
    expect(messages.at(-1)?.content).toBe("The open request.");
    const called = JSON.stringify(messages.map(({ tool_calls }) => tool_calls));
    for (const { tool_call_id } of messages.filter(({ role }) => role === "tool"))
      expect(called).toContain(`"${String(tool_call_id)}"`);
  });

  it("is shortened before anything is refused where the model's profile says how long it may be", async () => {
    const { bodies } = await openAiEndpoint({ content: "Done." });
    const { used } = replyOf(await ask(questionAfter(30, { model: "openai:gpt-4" })));
    expect(used.shortened).toBeGreaterThan(0);
    expect(bodies).toHaveLength(1);
  });

  it("has shorter replies where the window is too small for the usual ones", async () => {
    const { bodies } = await openAiEndpoint(({ body }) => {
      const reply = Number(body["max_tokens"] ?? body["max_completion_tokens"]);
      const requested = tokens(body) + reply;
      const message = `This model's maximum context length is 4096 tokens. However, you requested ${requested} tokens (${tokens(body)} in the messages, ${reply} in the completion).`;
      return requested > 4096
        ? { status: 400, body: { error: { message } } }
        : { content: "Done." };
    });
    expect(replyOf(await ask(questionAfter(1))).reply.text).toBe("Done.");
    expect(bodies).toHaveLength(2);
  });

  it("ends the run with advice if the request alone is too long", async () => {
    const { bodies } = await openAiEndpoint({
      status: 400,
      body: { error: { message: "prompt is too long: 9000 tokens > 20 maximum" } },
    });
    const { message } = await rejectionOf(ask(questionAfter(0)));
    expect(message).toMatch(/prompt is too long.*new thread/);
    expect(bodies).toHaveLength(1);
  });
});

describe("the rule by which a conversation is shortened", () => {
  const messages = conversation(4);
  const short = (most: number) =>
    shortenedConversation({ earlier: messages, since: [] }, most).earlier;

  it("cuts old results first, and only as many as it takes", () => {
    const earlier = short(tokensOf(messages) - 100);
    expect(earlier).toHaveLength(messages.length);
    const cut = earlier.filter((message, at) => message !== messages[at]);
    expect(cut.map((message) => message.text.slice(0, 8))).toEqual(["Result 0"]);
  });

  it("then leaves out whole turns, the oldest first, and says so", () => {
    const earlier = short(450);
    expect(earlier[0]?.text).toContain("left out");
    expect(earlier[1]?.text).toContain("Question 2.");
    expect(tokensOf(earlier)).toBeLessThanOrEqual(450);
  });

  it("keeps the open request and the run's last results, however short it is to be", () => {
    const since = conversation(3).slice(0, -2);
    const result = shortenedConversation({ earlier: messages, since }, 0);
    expect(result.earlier.at(-1)?.text).toBe("The open request.");
    expect(result.since).toHaveLength(since.length);
    expect(result.since.at(-1)).toBe(since.at(-1));
    expect(tokensOf(result.since)).toBeLessThan(tokensOf(since));
  });
});

describe("a refusal", () => {
  const sent = { tokens: 1000, reply: 4096 };

  it.each([
    "Rate limit reached for gpt-4.1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000.",
    "max_tokens is too large: 4096. This model supports at most 2048 completion tokens",
    "Invalid 'tools[0].function.description': string too long. Expected at most 1024 characters.",
    "You exceeded your current quota, please check your plan and billing details.",
  ])("of another kind tells nothing of a window: %s", (message) => {
    expect(windowAfter(new Error(message), sent)).toBeUndefined();
  });

  it.each([
    ["This model's maximum prompt length is 131072 but the request contains 262144 tokens.", 475],
    [
      "The input token count (2,097,152) exceeds the maximum number of tokens allowed (1048576).",
      475,
    ],
    [
      "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 20000 maximum context length",
      475,
    ],
    [
      "input length and `max_tokens` exceed context limit: 200000 + 4096 > 104096, decrease input length",
      475,
    ],
    [
      "'max_tokens' is too large: 4096. This model's maximum context length is 14096 tokens and your request has 20000 input tokens (4096 > 14096 - 20000).",
      475,
    ],
    [
      "This model's maximum context length is 2048 tokens. However, your messages resulted in 1900 tokens.",
      500,
    ],
  ])("tells how much fits: %s", (message, prompt) => {
    expect(windowAfter(new Error(message), sent)?.prompt).toBe(prompt);
  });
});
