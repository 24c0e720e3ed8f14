import { clipped } from "../../common/bounds.js";
import { oneLine } from "../../common/errors.js";
import { wordsOf } from "../library/toolText.js";
import { termsOf, toolWords } from "../library/words.js";
import type { ToolDefinition } from "../tool.js";
import type { Check, Finding, RequestGain } from "./finding.js";
import { DEPTH } from "./unfound.js";

/** A request, the tools that it needs, and those that it found, best first. */
export interface SearchedRequest {
  query: string;
  tools: readonly string[];
  found: readonly string[];
}

/** Checks whose findings keep tools from being found. */
const SEARCHED: readonly Check[] = ["missed", "unfound", "twins", "descriptions"];

/** A tool is reported if at least so many requests miss it, and this share of those that need it. */
const MISSED = { requests: 2, share: 0.5 };

/** Most characters of a request that are shown. */
const LONGEST_EXAMPLE = 90;

/** Most words proposed for a description. */
const MOST_WORDS = 6;

/**
 * Adds findings about tools that requests miss, with the words these requests use; and to each finding, what fixing it
 * would gain.
 *
 * @param options.requests each with at least one tool
 */
export function withRequests(options: {
  tools: readonly ToolDefinition[];
  findings: readonly Finding[];
  requests: readonly SearchedRequest[];
}): Finding[] {
  const { tools, findings, requests } = options;
  const needs = needsOf(requests);
  const missed = missedFindings({ tools, requests, needs });
  return [...missed, ...findings].map((finding) => {
    if (!SEARCHED.includes(finding.check)) return finding;
    const gain = gainOf({ tools: finding.tools, requests, needs });
    return gain.needed > 0 ? { ...finding, requests: gain } : finding;
  });
}

type Needs = ReadonlyMap<string, readonly number[]>;

/** For each tool, the indexes of the requests that need it. */
function needsOf(requests: readonly SearchedRequest[]): Needs {
  const needs = new Map<string, number[]>();
  for (const [at, { tools }] of requests.entries()) {
    for (const id of tools) needs.set(id, [...(needs.get(id) ?? []), at]);
  }
  return needs;
}

function gainOf(options: {
  tools: readonly string[];
  requests: readonly SearchedRequest[];
  needs: Needs;
}): RequestGain {
  const { tools, requests, needs } = options;
  const needing = new Set(tools.flatMap((id) => needs.get(id) ?? []));
  let missed = 0;
  let recall = 0;
  for (const at of needing) {
    const { tools: wanted = [], found = [] } = requests[at] ?? {};
    const first = new Set(found.slice(0, DEPTH));
    const lost = tools.filter((id) => wanted.includes(id) && !first.has(id)).length;
    if (lost > 0) missed += 1;
    recall += lost / Math.max(wanted.length, 1);
  }
  return { needed: needing.size, missed, recall: recall / Math.max(requests.length, 1) };
}

function missedFindings(options: {
  tools: readonly ToolDefinition[];
  requests: readonly SearchedRequest[];
  needs: Needs;
}): Finding[] {
  const { tools, requests, needs } = options;
  const said = requests.map(({ query }) => saidWords(query));
  const common = new Map<string, number>();
  for (const words of said) {
    for (const term of words.keys()) common.set(term, (common.get(term) ?? 0) + 1);
  }
  return tools.flatMap((tool): Finding[] => {
    const needing = needs.get(tool.id) ?? [];
    const missing = needing.filter((at) => !requests[at]?.found.slice(0, DEPTH).includes(tool.id));
    if (missing.length < MISSED.requests || missing.length < MISSED.share * needing.length)
      return [];
    const words = lackingWords({ tool, missing, said, common });
    const example = requests[missing[0] ?? 0]?.query ?? "";
    return [
      {
        check: "missed",
        severity: "warning",
        tools: [tool.id],
        problem: `${missing.length} of the ${needing.length} requests that need it miss it, such as "${clipped(oneLine(example), LONGEST_EXAMPLE)}"`,
        change:
          words.length > 0
            ? `Say in its description what these requests say: ${words.join(", ")}`
            : "Say in its description what it is asked for; its words are lost among those of other tools",
      },
    ];
  });
}

/** The words of a request, by the form in which they are searched for. */
function saidWords(query: string): Map<string, string> {
  const words = wordsOf(query).split(" ");
  return new Map(words.flatMap((word) => termsOf(word).map((term) => [term, word] as const)));
}

/** Words that are more frequent in the requests that miss a tool than in others, and that the tool lacks. */
function lackingWords(options: {
  tool: ToolDefinition;
  missing: readonly number[];
  said: readonly ReadonlyMap<string, string>[];
  common: ReadonlyMap<string, number>;
}): string[] {
  const { tool, missing, said, common } = options;
  const { words: own } = toolWords(tool);
  const counts = new Map<string, number>();
  const spelling = new Map<string, string>();
  for (const at of missing) {
    for (const [term, word] of said[at] ?? []) {
      if (own.has(term) || !/^\p{L}{3,}$/u.test(term)) continue;
      counts.set(term, (counts.get(term) ?? 0) + 1);
      spelling.set(term, word);
    }
  }
  const lift = ([word, count]: readonly [string, number]) =>
    count * Math.log(count / missing.length / ((common.get(word) ?? 1) / said.length));
  return [...counts]
    .filter(([, count]) => count > 1)
    .filter((entry) => lift(entry) > 0)
    .toSorted((one, other) => lift(other) - lift(one))
    .slice(0, MOST_WORDS)
    .map(([term]) => spelling.get(term) ?? term);
}
