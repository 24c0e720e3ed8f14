import { setImmediate } from "node:timers/promises";
import { AIMessageChunk, type AIMessage } from "@langchain/core/messages";

/**
 * More characters than tokens have on average; a longer reply is from a provider that ignores the token limit.
 */
const CHARACTERS_PER_TOKEN = 16;

/** How long chunks are read in one go before timers and other work get a turn. */
const TURN_MS = 20;

/**
 * Assembles the chunks of a streamed reply. Reading stops at the token limit, and the reply then counts as cut
 * short. An aborted signal stops it even if chunks arrive without pause.
 *
 * @returns undefined if there was no chunk at all
 * @throws the reason of the signal
 */
export async function readStream(options: {
  parts: AsyncIterable<AIMessage | AIMessageChunk>;
  signal: AbortSignal;
  maxTokens: number;
}): Promise<AIMessage | AIMessageChunk | undefined> {
  const { parts, signal, maxTokens } = options;
  const read: (AIMessage | AIMessageChunk)[] = [];
  let left = maxTokens * CHARACTERS_PER_TOKEN;
  let turnEnds = performance.now() + TURN_MS;
  for await (const part of parts) {
    read.push(part);
    left -= lengthOf(part);
    if (left < 0) return cutShort(joined(read));
    if (performance.now() < turnEnds) continue;
    // While chunks are available, timers get no turn, and neither would the deadline.
    await setImmediate();
    signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  return joined(read);
}

/** Characters of text, calls and reasoning. */
function lengthOf(part: AIMessage | AIMessageChunk): number {
  const chunks = part instanceof AIMessageChunk ? (part.tool_call_chunks ?? []) : [];
  const beside = Object.values(part.additional_kwargs).map((value) =>
    typeof value === "string" ? value.length : 0,
  );
  const lengths = [part.text.length, ...chunks.map(({ args }) => args?.length ?? 0), ...beside];
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Joins chunks pairwise: appending one by one would take quadratic time. */
function joined(parts: (AIMessage | AIMessageChunk)[]): AIMessage | AIMessageChunk | undefined {
  let level = parts;
  while (level.length > 1) {
    level = level.flatMap((part, at) => {
      if (at % 2 === 1) return [];
      const next = level[at + 1];
      if (!next) return [part];
      // A model that does not stream sends one whole message.
      const areChunks = part instanceof AIMessageChunk && next instanceof AIMessageChunk;
      return [areChunks ? part.concat(next) : next];
    });
  }
  return level[0];
}

function cutShort(reply: AIMessage | AIMessageChunk | undefined) {
  if (reply) reply.response_metadata = { ...reply.response_metadata, finish_reason: "length" };
  return reply;
}
