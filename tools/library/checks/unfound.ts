import { wordsOf } from "../vectors/embedding.js";
import type { ToolDefinition } from "../../tool.js";
import type { Finding, Severity } from "./finding.js";

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
export function ownPhrases({ name, description }: ToolDefinition) {
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
    if (described === undefined && named === undefined) return [];
    const hits = (byDescription ?? byName ?? []).filter((other) => other !== id);
    const finding = (severity: Severity, problem: string): Finding[] => [
      {
        check: "unfound",
        severity,
        tools: [id],
        problem: `${problem}; first: ${hits.slice(0, 3).join(", ") || "nothing"}`,
        change: `Say first what sets it apart from ${hits.slice(0, 2).join(" and ")}`,
      },
    ];
    const absent = `is not among the first ${DEPTH} that`;
    if ((described ?? DEPTH) >= DEPTH && (named ?? DEPTH) >= DEPTH) {
      const by = described === undefined ? "its name" : "its description or its name";
      return finding("error", `${absent} ${by} finds`);
    }
    if (described !== undefined && described >= DEPTH) {
      return finding("warning", `${absent} its description finds`);
    }
    if (named !== undefined && named >= DEPTH && wordsOf(name).includes(" ")) {
      return finding("note", `${absent} its name as words finds`);
    }
    if (described !== undefined && described >= GOOD) {
      return finding("note", `comes ${described + 1}th when its own description is searched for`);
    }
    return [];
  });
}

/** Rank among the hits, from 0; `DEPTH` if it is not among them. */
function rankIn(hits: readonly string[], id: string): number {
  const rank = hits.indexOf(id);
  return rank === -1 ? DEPTH : rank;
}
