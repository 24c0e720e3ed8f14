import { wordsOf } from "../vectors/embedding.js";
import type { ToolDefinition, ToolRecord } from "../../tool.js";
import { saidEffects } from "../records/effects.js";
import { costOf, type CountTokens, type FindTools } from "./examine.js";
import type { Finding } from "./finding.js";

/** Tools of which so many words are the same are hard to tell apart. */
const TWINS = 0.8;

/** Names of tools that look things up and change nothing. */
const READING = /^(?:get|list|read|search|find|show|fetch|describe|count|query|lookup|view)\b/;

/** What the author of a server can mend, besides what is examined in every library. */
export function serverFindings(tools: readonly ToolRecord[]): Finding[] {
  return [...twinFindings(tools), ...silentFindings(tools)];
}

function twinFindings(tools: readonly ToolDefinition[]): Finding[] {
  const words = tools.map(({ description }) => new Set(wordsOf(description).split(/\W+/)));
  return tools.flatMap((one, at) =>
    tools.slice(at + 1).flatMap((other, next): Finding[] => {
      const [own = new Set(), others = new Set()] = [words[at], words[at + 1 + next]];
      const common = [...own].filter((word) => others.has(word)).length;
      const all = own.size + others.size - common;
      if (own.size < 4 || common / all < TWINS) return [];
      return [
        {
          check: "twins",
          severity: "warning",
          tools: [one.id, other.id],
          problem: "describe themselves in nearly the same words",
          change: "Say in each description when to call it and not the other",
        },
      ];
    }),
  );
}

function silentFindings(tools: readonly ToolRecord[]): Finding[] {
  const silent = tools.filter(
    (tool) => saidEffects(tool) === "write" && READING.test(wordsOf(tool.name)),
  );
  const untyped = tools.filter(({ returns }) => returns === undefined);
  return [
    ...silent.map(({ id }): Finding => ({
      check: "silent",
      severity: "warning",
      tools: [id],
      problem:
        "is named like a read and does not say that it is one, so clients ask before each call",
      change: "Set annotations.readOnlyHint to true if it changes nothing",
    })),
    ...(untyped.length === 0
      ? []
      : [
          {
            check: "silent" as const,
            severity: "note" as const,
            tools: untyped.map(({ id }) => id),
            problem: "do not say what they return, so a plan cannot use a part of it",
            change: "Declare an outputSchema",
          },
        ]),
  ];
}

/** How well the tools of a server are found beside others, and what showing them costs. */
export interface Reach {
  /** Phrases for all tools, and how many of them find their tool first and among five. */
  phrases: number;
  first: number;
  amongFive: number;
  /** Tools that none of their phrases finds among five. */
  unreached: string[];
  tokens: number;
}

const FIVE = 5;

/** Searches for each tool by paraphrases of it that do not have its name. */
export async function reachOf(options: {
  tools: readonly ToolDefinition[];
  find: FindTools;
  countTokens: CountTokens;
}): Promise<Reach> {
  const { tools, find, countTokens } = options;
  const asked = tools.flatMap((tool) =>
    paraphrases(tool).map((phrase) => ({ id: tool.id, phrase })),
  );
  const found = await find({ phrases: asked.map(({ phrase }) => phrase), topK: FIVE });
  const ranks = asked.map(({ id }, at) => ({ id, rank: found[at]?.indexOf(id) ?? -1 }));
  const reached = new Set(ranks.flatMap(({ id, rank }) => (rank >= 0 ? [id] : [])));
  return {
    phrases: asked.length,
    first: ranks.filter(({ rank }) => rank === 0).length,
    amongFive: ranks.filter(({ rank }) => rank >= 0).length,
    unreached: tools.map(({ id }) => id).filter((id) => !reached.has(id)),
    tokens: costOf(tools, countTokens).tokens.total,
  };
}

/** Ways to ask for a tool: its first sentence without the words of its name, the rest, and its name in other order. */
function paraphrases({ name, description }: ToolDefinition): string[] {
  const own = wordsOf(name).split(" ");
  const without = (text: string) =>
    text
      .split(/\s+/)
      .filter((word) => !own.includes(word.toLowerCase().replaceAll(/\W/g, "")))
      .join(" ");
  const [first = "", ...rest] = description.split(/(?<=[.!?])\s+/);
  const phrases = [without(first), without(rest.slice(0, 2).join(" ")), own.toReversed().join(" ")];
  return [...new Set(phrases.map((each) => each.trim()))].filter((each) => /\p{L}{3}/u.test(each));
}
