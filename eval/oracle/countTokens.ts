import { Tiktoken } from "js-tiktoken/lite";

/** Counts the tokens of a text. */
export type CountTokens = (text: string) => number;

/** Size of the cache: instructions and tools are sent again with every question. */
const KEPT = 64;

let counting: Promise<CountTokens> | undefined;

/** Counts tokens by OpenAI's `o200k_base`; its table comes in a package and takes a second to open. */
export function o200kTokens(): Promise<CountTokens> {
  return (counting ??= openCounting());
}

async function openCounting(): Promise<CountTokens> {
  const { default: ranks } = await import("js-tiktoken/ranks/o200k_base");
  const encoding = new Tiktoken(ranks);
  const kept = new Map<string, number>();
  return (text) => {
    // Special tokens in a text count as plain text.
    const count = kept.get(text) ?? encoding.encode(text, [], []).length;
    kept.delete(text);
    kept.set(text, count);
    const [oldest] = kept.keys();
    if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest);
    return count;
  };
}
