import type { BaseMessageChunk } from "@langchain/core/messages";
import { ChatOpenAICompletions, type OpenAIClient } from "@langchain/openai";

/**
 * LangChain's client for chat completions, fixed where it loses parts of a streamed reply: it drops refusals,
 * and does not recognise replies without a role as the assistant's.
 */
export class ChatCompletions extends ChatOpenAICompletions {
  protected override _convertCompletionsDeltaToBaseMessageChunk(
    delta: Record<string, unknown>,
    response: OpenAIClient.Chat.Completions.ChatCompletionChunk,
  ): BaseMessageChunk {
    const chunk = super._convertCompletionsDeltaToBaseMessageChunk(
      { ...delta, role: "assistant" },
      response,
    );
    if (delta["refusal"]) chunk.additional_kwargs["refusal"] = delta["refusal"];
    return chunk;
  }
}
