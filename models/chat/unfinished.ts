import type { AIMessage } from "@langchain/core/messages";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";

/** Why a model did not end its reply: the limit of tokens, a provider's filter, or a fault on the way. */
export interface Unfinished {
  why: "length" | "filter" | "broken";
  /** Tokens of the reply, if its length ended it. */
  tokens: number;
  /** It has thoughts and nothing else. */
  isThought: boolean;
}

/**
 * Names under which LangChain's packages give the reason: `finish_reason` (OpenAI, Mistral, Groq and others, all
 * newer packages), `stop_reason` (Anthropic), `finishReason` (Google), `stopReason` (Bedrock), `done_reason`
 * (Ollama), `reason` in `incomplete_details` (OpenAI's Responses).
 */
const REASON = /^(?:normalized_?)?(?:(?:finish|stop|done)_?)?reason$/i;

/** What else a reason may be, such as "stop", "end_turn" or "tool_calls", is an end; so is none at all. */
const REASONS: [Unfinished["why"], RegExp][] = [
  ["length", /length|max|limit|exceed/i],
  ["filter", /filter|safety|recitation|block|prohibit|spii|sensitive|refus|guardrail|toxic/i],
  [
    "broken",
    /error|abort|cancel|time_?out|incomplete|malformed|unexpected|too_many|insufficient|interrupt|overload|repetition|pause|suspend|network/i,
  ],
  // Google's; newer packages write "other" for any reason that they do not know.
  ["broken", /^OTHER$/],
];

/** The reason that a wire without an end is given (`wire.ts`). */
export const NO_END = "incomplete";

/**
 * What keeps a reply from being whole, for a reader that must not use a part of it.
 *
 * @param options.text the reply without its thoughts
 * @param options.maxTokens what it has at most, where it does not report how many it had
 */
export function unfinishedReply(options: {
  reply: AIMessage;
  text: string;
  maxTokens: number;
}): Unfinished | undefined {
  const { reply, text, maxTokens } = options;
  const why = whyUnfinished(reply);
  if (!why || (why === "length" && isDrainedOut(text))) return undefined;
  const tokens = reply.usage_metadata?.output_tokens || maxTokens;
  const isThought = text.trim() === "" && (reply.text.trim() !== "" || hasThought(reply));
  return { why, tokens, isThought };
}

/**
 * Small local models end a reply and go on with blank lines until their tokens are spent. Such a reply is whole, if it
 * closes what it has opened.
 */
function isDrainedOut(text: string): boolean {
  const said = text.trimEnd();
  if (said === "" || text.length - said.length < BLANK_END) return false;
  const count = (sign: string) => said.split(sign).length;
  return (
    ["()", "[]", "{}"].every(([open = "", close = ""]) => count(open) === count(close)) &&
    count("```") % 2 === 1
  );
}

/** So much blank space ends no reply that would go on. */
const BLANK_END = 100;

/**
 * Why a reply is not whole; undefined for a whole one. A message without any such data, as from a model of one's own, is
 * whole.
 */
export function whyUnfinished(reply: AIMessage): Unfinished["why"] | undefined {
  const given = [reply.response_metadata, reply.additional_kwargs].flatMap(reasonsIn);
  return REASONS.find(([, pattern]) => given.some((reason) => pattern.test(reason)))?.[0];
}

/** Reasons are at the top, or one level below it: `messageStop.stopReason`, `incomplete_details.reason`. */
function reasonsIn(data: Record<string, unknown>): string[] {
  return Object.entries(data)
    .flatMap(([key, value]) => (isObject(value) ? Object.entries(value) : [[key, value]]))
    .flatMap(([key, value]) =>
      REASON.test(String(key)) && typeof value === "string" ? value : [],
    );
}

function hasThought({ content, additional_kwargs: beside }: AIMessage): boolean {
  const parts = typeof content === "string" ? [] : content;
  return (
    parts.some(({ type }) => /thinking|reasoning/.test(type)) || Boolean(thoughtBeside(beside))
  );
}

/** Names of the field in which endpoints of OpenAI's protocol send thoughts. */
export const THOUGHT_FIELDS = ["reasoning_content", "reasoning"] as const;

export function thoughtBeside(beside: Record<string, unknown>): Record<string, string> | undefined {
  const name = THOUGHT_FIELDS.find((field) => typeof beside[field] === "string" && beside[field]);
  return name && { [name]: String(beside[name]) };
}
