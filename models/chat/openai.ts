import { AIMessage, type BaseMessage, type BaseMessageChunk } from "@langchain/core/messages";
import { ChatOpenAICompletions, type OpenAIClient } from "@langchain/openai";
import { withEvenParts } from "../embeddings/evenParts.js";
import { type ChatBody, asWanted, learnsHabit } from "./habits.js";
import { thoughtBeside } from "./unfinished.js";

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
