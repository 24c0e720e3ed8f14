import { setImmediate } from "node:timers/promises";
import { AIMessageChunk, type AIMessage } from "@langchain/core/messages";

/**
 * More characters than a token ever has on average: what comes beyond them comes from a provider that does not
 * heed the limit of tokens.
 */
const CHARACTERS_PER_TOKEN = 16;

/** How long parts are taken in one go, before timers and whatever else waits have their turn. */
const TURN_MS = 20;

/**
 * The parts of a streamed reply, put together. Reading ends at the limit of tokens, and the reply then counts as
 * cut short; where the signal is aborted it ends even if parts come without pause.
 *
 * @returns undefined where there was no part at all
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
    // Parts that are there already are read without the timers, the deadline among them, getting a turn.
    await setImmediate();
    signal.throwIfAborted();
    turnEnds = performance.now() + TURN_MS;
  }
  return joined(read);
}

/** Characters of what is said, called and thought. */
function lengthOf(part: AIMessage | AIMessageChunk): number {
  const chunks = part instanceof AIMessageChunk ? (part.tool_call_chunks ?? []) : [];
  const beside = Object.values(part.additional_kwargs).map((value) =>
    typeof value === "string" ? value.length : 0,
  );
  const lengths = [part.text.length, ...chunks.map(({ args }) => args?.length ?? 0), ...beside];
  return lengths.reduce((sum, length) => sum + length, 0);
}

/** Two by two: each part put behind all before it would take a time that grows with the square of their number. */
function joined(parts: (AIMessage | AIMessageChunk)[]): AIMessage | AIMessageChunk | undefined {
  let level = parts;
  while (level.length > 1) {
    level = level.flatMap((part, at) => {
      if (at % 2 === 1) return [];
      const next = level[at + 1];
      if (!next) return [part];
      // A model that does not stream gives its reply as one message.
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
