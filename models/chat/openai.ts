import { AIMessage, type BaseMessage, type BaseMessageChunk } from "@langchain/core/messages";
import type { OpenAIClient } from "@langchain/openai";
import { UNSEEN_PICTURE } from "../../state/history.js";
import { withEvenParts } from "../embeddings/evenParts.js";
import { statusOf } from "./failures.js";
import { ChatOpenAICompletions } from "./langchainOpenAi.js";
import { THOUGHT_FIELDS, thoughtBeside } from "./unfinished.js";

export { ChatOpenAI } from "./langchainOpenAi.js";

type ChatBody = OpenAIClient.Chat.Completions.ChatCompletionCreateParams;

type ChatMessage = ChatBody["messages"][number];

/** What some endpoints refuse of a request, and the request as they want it. */
interface Habit {
  refuses: RegExp;
  applies: (body: ChatBody) => boolean;
  change: (body: ChatBody) => ChatBody;
}

const HABITS: Record<string, Habit> = {
  "no stream_options": without("stream_options", /\bstream_options\b|include_usage/i),
  max_completion_tokens: {
    refuses: /\bmax_tokens\b/i,
    applies: ({ max_tokens }) => max_tokens !== undefined,
    change: ({ max_tokens, ...body }) => ({ ...body, max_completion_tokens: max_tokens }),
  },
  max_tokens: {
    refuses: /\bmax_completion_tokens\b/i,
    applies: ({ max_completion_tokens }) => max_completion_tokens !== undefined,
    change: ({ max_completion_tokens, ...body }) => ({
      ...body,
      max_tokens: max_completion_tokens,
    }),
  },
  "no temperature": without("temperature"),
  "no seed": without("seed"),
  "no prompt_cache_key": without("prompt_cache_key"),
  "no response_format": without(
    "response_format",
    /response_format|json_schema|structured output/i,
  ),
  "no tool_choice": without("tool_choice"),
  "no thoughts": {
    refuses: /\breasoning(?:_content)?\b/i,
    applies: ({ messages }) =>
      messages.some((message) => THOUGHT_FIELDS.some((field) => field in message)),
    change: (body) => ({ ...body, messages: body.messages.map(withoutKeys(...THOUGHT_FIELDS)) }),
  },
  "no pictures": {
    refuses: /\bimages?\b|image_url|\bvision\b|multi-?modal|content\b.*\bstring\b/i,
    applies: ({ messages }) => messages.some(hasPicture),
    change: (body) => ({ ...body, messages: body.messages.map(withNamedPictures) }),
  },
  "no names of tools in results": {
    refuses: /\bmessages?\b.{0,9}\bname\b/i,
    applies: ({ messages }) => messages.some((message) => "name" in message),
    change: (body) => ({ ...body, messages: body.messages.map(withoutKeys("name")) }),
  },
  "system for developer": {
    refuses: /\bdeveloper\b/i,
    applies: ({ messages }) => messages.some(({ role }) => role === "developer"),
    change: (body) => ({ ...body, messages: body.messages.map(withSystem) }),
  },
  "users in turn": {
    refuses: /\balternat/i,
    applies: ({ messages }) => joined(messages).length < messages.length,
    change: (body) => ({ ...body, messages: joined(body.messages) }),
  },
  "user for system": {
    refuses:
      /(?:system|developer) (?:role|message|prompt|instruction)|\brole\W{0,3}system|['"`]system['"`]|\balternat|only user and assistant/i,
    applies: ({ messages }) => messages.some(isSystem),
    change: (body) => ({ ...body, messages: joined(body.messages.map(asUser)) }),
  },
};

const REFUSED =
  /not? (\w+ )*support|n['’]t support|unsupported|unknown|unrecogni[sz]ed|unexpected|extra (fields|inputs)|(not|cannot) (be )?(allowed|permitted|available|enabled|specified)|may not|unavailable|incompatible|only .{0,30}supported|not a multi-?modal|must be a string|must (alternate|not|be)|should not|\binvalid\b/i;

/** A value that is too large is not what is refused. */
const TOO_MUCH = /too (large|high|long|many)|less than|at most|maximum|exceed|between|range/i;

/** Names of the habits of endpoints, by address and model, as this process has met them. */
const known = new Map<string, Set<string>>();

/** The most tokens that endpoints grant a reply, learnt in the same way. */
const longest = new Map<string, number>();

type Streaming = OpenAIClient.Chat.Completions.ChatCompletionCreateParamsStreaming;
type Whole = OpenAIClient.Chat.Completions.ChatCompletionCreateParamsNonStreaming;
type Part = OpenAIClient.Chat.Completions.ChatCompletionChunk;
type Options = Parameters<ChatOpenAICompletions["completionWithRetry"]>[1];

/** Thoughts before calls, by the calls' ids, on their way through a call's options. */
const THOUGHTS = Symbol("thoughts");

/**
 * LangChain's client for chat completions, fixed where it loses parts of a streamed reply or does not understand those of
 * other providers: it drops refusals and thoughts, and does not recognise replies without a role as the assistant's. What
 * an endpoint refuses of a request is left out from then on.
 */
export class ChatCompletions extends ChatOpenAICompletions {
  override async *_streamResponseChunks(
    ...[messages, options, manager]: Parameters<ChatOpenAICompletions["_streamResponseChunks"]>
  ): ReturnType<ChatOpenAICompletions["_streamResponseChunks"]> {
    const given = Object.assign({ ...options }, { [THOUGHTS]: thoughtsIn(messages) });
    yield* super._streamResponseChunks(messages, given, manager);
  }

  override completionWithRetry(request: Streaming, options?: Options): Promise<AsyncIterable<Part>>;
  override completionWithRetry(
    request: Whole,
    options?: Options,
  ): Promise<OpenAIClient.Chat.Completions.ChatCompletion>;
  override async completionWithRetry(request: Streaming | Whole, options?: Options) {
    const { baseURL = process.env["OPENAI_BASE_URL"] } = this.clientConfig;
    const endpoint = JSON.stringify([baseURL, this.model]);
    const wanted = asWanted(withThoughts(request, options), endpoint);
    try {
      if (!wanted.stream) return await super.completionWithRetry(wanted, options);
      return withEvenParts(await super.completionWithRetry(wanted, options));
    } catch (error) {
      if (!learnsHabit(error, wanted, endpoint)) throw error;
      return await this.completionWithRetry(request as Streaming, options);
    }
  }

  protected override _convertCompletionsDeltaToBaseMessageChunk(
    delta: Record<string, unknown>,
    response: Part,
  ): BaseMessageChunk {
    const chunk = super._convertCompletionsDeltaToBaseMessageChunk(
      { ...delta, role: "assistant" },
      response,
    );
    for (const field of ["refusal", "reasoning"]) {
      if (delta[field]) chunk.additional_kwargs[field] = delta[field];
    }
    return chunk;
  }
}

function thoughtsIn(messages: readonly BaseMessage[]): Map<string, Record<string, string>> {
  return new Map(
    messages.flatMap((message) => {
      const [call] = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
      const thought = thoughtBeside(message.additional_kwargs);
      return call?.id && thought ? [[call.id, thought]] : [];
    }),
  );
}

/** Some providers refuse the result of a call without the thoughts that led to it. */
function withThoughts(request: ChatBody, options: Options): ChatBody {
  const thoughts = (options as { [THOUGHTS]?: Map<string, object> } | undefined)?.[THOUGHTS];
  if (!thoughts?.size) return request;
  const messages = request.messages.map((message) => {
    const [call] = message.role === "assistant" ? (message.tool_calls ?? []) : [];
    return call ? { ...message, ...thoughts.get(call.id) } : message;
  });
  return { ...request, messages };
}

/** The request as an endpoint is known to want it. */
function asWanted(body: ChatBody, endpoint: string): ChatBody {
  const names = [...(known.get(endpoint) ?? [])];
  const wanted = names.reduce((changed, name) => {
    const habit = HABITS[name];
    return habit?.applies(changed) ? habit.change(changed) : changed;
  }, body);
  const most = longest.get(endpoint) ?? Infinity;
  const tooLong = REPLY_KEYS.filter((key) => (wanted[key] ?? 0) > most);
  return { ...wanted, ...Object.fromEntries(tooLong.map((key) => [key, most])) };
}

const REPLY_KEYS = ["max_tokens", "max_completion_tokens"] as const;

/** What an endpoint grants a reply at most, if that is what it refuses; the window of a model is another matter. */
function mostOfReply(message: string, body: ChatBody): number | undefined {
  const asked = Math.max(...REPLY_KEYS.map((key) => body[key] ?? 0));
  const isReply = /\bmax_(?:completion_|new_|output_)?tokens\b|completion tokens/i.test(message);
  if (!isReply || /context.?length|input|prompt|messages/i.test(message)) return undefined;
  const said = message.match(/(?<![\w.-])\d{2,}(?![\w-])/g)?.map(Number) ?? [];
  const fitting = said.filter((number) => number < asked);
  return fitting.length > 0 ? Math.max(...fitting) : undefined;
}

/** Learns from a refusal what an endpoint wants; false if it says nothing that is known, or nothing new. */
function learnsHabit(error: unknown, body: ChatBody, endpoint: string): boolean {
  if (!(error instanceof Error)) return false;
  const status = statusOf(error) ?? 0;
  if (![400, 404, 422, 500, 501].includes(status)) return false;
  const most = mostOfReply(error.message.replace(/^\d{3} /, ""), body);
  if (most !== undefined) return Boolean(longest.set(endpoint, most));
  if (!REFUSED.test(error.message) || TOO_MUCH.test(error.message)) return false;
  const met = known.get(endpoint) ?? new Set();
  const found = Object.entries(HABITS).find(
    ([name, { refuses, applies }]) =>
      !met.has(name) && applies(body) && refuses.test(error.message),
  );
  if (!found) return false;
  known.set(endpoint, met.add(found[0]));
  return true;
}

function without(field: keyof ChatBody, refuses = new RegExp(`\\b${field}\\b`, "i")): Habit {
  return {
    refuses,
    applies: (body) => body[field] !== undefined,
    change: (body) => ({ ...body, [field]: undefined }),
  };
}

function withoutKeys(...keys: string[]) {
  return (message: ChatMessage): ChatMessage =>
    Object.fromEntries(
      Object.entries(message).filter(([key]) => !keys.includes(key)),
    ) as unknown as ChatMessage;
}

function hasPicture({ content }: ChatMessage): boolean {
  return Array.isArray(content) && content.some(({ type }) => type === "image_url");
}

/** Endpoints that take no pictures often take no parts either. */
function withNamedPictures(message: ChatMessage): ChatMessage {
  if (message.role !== "user" || !hasPicture(message)) return message;
  const texts = partsOf(message.content).map((part) =>
    part.type === "text" ? part.text : UNSEEN_PICTURE,
  );
  return { ...message, content: texts.join("\n\n") };
}

function isSystem({ role }: ChatMessage): boolean {
  return role === "system" || role === "developer";
}

function withSystem(message: ChatMessage): ChatMessage {
  return message.role === "developer" ? { ...message, role: "system" } : message;
}

function asUser(message: ChatMessage): ChatMessage {
  return isSystem(message) ? ({ ...message, role: "user" } as ChatMessage) : message;
}

function joined(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.reduce<ChatMessage[]>((all, message) => {
    const last = all.at(-1);
    if (last?.role !== "user" || message.role !== "user") return [...all, message];
    const content =
      typeof last.content === "string" && typeof message.content === "string"
        ? `${last.content}\n\n${message.content}`
        : [...partsOf(last.content), ...partsOf(message.content)];
    return [...all.slice(0, -1), { ...last, content }];
  }, []);
}

function partsOf(content: string | OpenAIClient.Chat.Completions.ChatCompletionContentPart[]) {
  return typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
}
