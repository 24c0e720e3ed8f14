import { wordsOf } from "../library/vectors/embedding.js";
import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";

/** The ids that a tool's own words find, best first; absent if there are no such words to search for. */
export interface FoundByOwnWords {
  byDescription?: readonly string[];
  byName?: readonly string[];
}

/** How many hits are looked at; a tool that is not among them is not found. */
export const DEPTH = 10;

/** A tool should be among this many hits. */
const GOOD = 5;

/** What is searched for to see whether a tool is found by what it says about itself. */
export function ownPhrases({ name, description }: ToolDefinition): {
  description: string;
  name: string;
} {
  const words = wordsOf(name);
  // A name of several words would find the tool by itself; a single word is a word like any other.
  const isPlain = !words.includes(" ");
  const text = isPlain ? description : description.replaceAll(name, " ");
  return { description: /[\p{L}\p{N}]/u.test(text) ? text.trim() : "", name: words };
}

/** Finds tools that a search for what they say about themselves does not find. */
export function unfoundFindings(
  tools: readonly ToolDefinition[],
  found: ReadonlyMap<string, FoundByOwnWords>,
): Finding[] {
  return tools.flatMap(({ id, name }): Finding[] => {
    const { byDescription, byName } = found.get(id) ?? {};
    const described = byDescription && rankIn(byDescription, id);
    const named = byName && rankIn(byName, id);
    const isNameless = !wordsOf(name).includes(" ");
    const finding = { check: "unfound", tools: [id] } as const;
    const change = `Say first what sets it apart from ${others(byDescription ?? byName ?? [], id)
      .slice(0, 2)
      .join(" and ")}`;
    if (described === undefined && named === undefined) return [];
    if ((described ?? DEPTH) >= DEPTH && (named ?? DEPTH) >= DEPTH) {
      const by = described === undefined ? "its name" : "its description or its name";
      const problem = `is not among the first ${DEPTH} that ${by} finds; first: ${firstOf(byDescription ?? byName, id)}`;
      return [{ ...finding, severity: "error", problem, change }];
    }
    if (described !== undefined && described >= DEPTH) {
      const problem = `is not among the first ${DEPTH} that its description finds; first: ${firstOf(byDescription, id)}`;
      return [{ ...finding, severity: "warning", problem, change }];
    }
    if (named !== undefined && named >= DEPTH && !isNameless) {
      const problem = `is not among the first ${DEPTH} that its name as words finds; first: ${firstOf(byName, id)}`;
      const better = "Name the thing that it acts on, in words of its description";
      return [{ ...finding, severity: "note", problem, change: better }];
    }
    if (described !== undefined && described >= GOOD) {
      const problem = `comes ${described + 1}th when its own description is searched for; before it: ${firstOf(byDescription, id)}`;
      return [{ ...finding, severity: "note", problem, change }];
    }
    return [];
  });
}

/** Rank among the hits, from 0; `DEPTH` if it is not among them. */
function rankIn(hits: readonly string[], id: string): number {
  const rank = hits.indexOf(id);
  return rank === -1 ? DEPTH : rank;
}

function others(hits: readonly string[], id: string): string[] {
  return hits.filter((other) => other !== id);
}

function firstOf(hits: readonly string[] | undefined, id: string): string {
  const names = others(hits ?? [], id).slice(0, 3);
  return names.length > 0 ? names.join(", ") : "nothing";
}
