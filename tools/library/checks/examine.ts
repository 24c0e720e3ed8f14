import type { ToolDefinition } from "../../tool.js";
import { listed } from "../../../common/text.js";
import { effectFindings } from "./effects.js";
import type { Finding, Severity } from "./finding.js";
import { hiddenFindings } from "./hiddenCharacters.js";
import { orderFindings } from "./orders.js";
import { textFindings } from "./texts.js";
import { spread } from "../vectors/openIndex.js";
import { LONGEST_WIRE_NAME, wireNames } from "../wireNames.js";
import { wordsOf } from "../vectors/embedding.js";

/** Since when the results of a tool that declares none differ from those before, and in what. */
export interface Drift {
  /** ISO. */
  since: string;
  changes: readonly string[];
}

/** Searches the library that is examined; returns ids for each phrase, the best first. */
export type FindTools = (question: {
  phrases: readonly string[];
  topK: number;
}) => Promise<string[][]>;

export type Examination = Awaited<ReturnType<typeof examineTools>>;

/**
 * Examines the definitions of a library for what makes models and searches stumble.
 *
 * @param options.most most tools to search for by their own words; of more, always the same sample is
 * @throws whatever the search throws
 */
export async function examineTools(options: {
  tools: readonly ToolDefinition[];
  find: FindTools;
  countTokens: CountTokens;
  most: number;
  /** How the results of tools have changed, by their ids. */
  drifts?: ReadonlyMap<string, Drift>;
}) {
  const { tools, find, countTokens, most, drifts = new Map() } = options;
  const sample = spread(tools, most);
  const found = await findByOwnWords(sample, find);
  const cost = costOf(tools, countTokens);
  const findings = [
    ...hiddenFindings(tools),
    ...orderFindings(tools),
    ...effectFindings(tools),
    ...unfoundFindings(sample, found),
    ...textFindings(tools),
    ...[...drifts].map(drifted),
    ...cost.findings,
    ...nameFindings(tools),
  ];
  // All tools were examined for everything but their own words.
  return { findings, tokens: cost.tokens, searched: sample.length };
}

function drifted([id, { since, changes }]: [string, Drift]): Finding {
  return {
    check: "drift",
    severity: "warning",
    tools: [id],
    problem: `returns something else since ${since.slice(0, 10)}: ${listed(changes)}`,
    change: "Look whether saved plans and tasks rely on it; models are shown both forms",
  };
}

async function findByOwnWords(sample: readonly ToolDefinition[], find: FindTools) {
  const wanted = sample.map((tool) => ({ id: tool.id, ...ownPhrases(tool) }));
  const byDescription = await findEach(
    find,
    wanted.map(({ description }) => description),
  );
  const byName = await findEach(
    find,
    wanted.map(({ name }) => name),
  );
  return new Map(
    wanted.map(({ id }, at) => [id, { byDescription: byDescription[at], byName: byName[at] }]),
  );
}

/** Ids for each phrase; undefined for a blank one. */
async function findEach(find: FindTools, phrases: readonly string[]) {
  const results = await find({ phrases, topK: DEPTH });
  return results.map((ids, at) => (phrases[at] === "" ? undefined : ids));
}

/** What it costs to show the tools of a library to a model, in tokens. */
interface TokenFigures {
  total: number;
  median: number;
  /** The most expensive tool; undefined for a library without tools. */
  most?: { tool: string; tokens: number };
}

/** Counts the tokens of a text, or estimates them. */
export type CountTokens = (text: string) => number;

/** A tool costs too much if it has so many times the median and also so many tokens. */
const OUTLIER = { times: 4, warning: 1000, note: 400 };

/** Finds tools that cost far more than others, and what all cost. Counts what providers are sent of a tool. */
export function costOf(
  tools: readonly ToolDefinition[],
  countTokens: CountTokens,
): { tokens: TokenFigures; findings: Finding[] } {
  const costs = tools.map((tool) => {
    const { name, description, parameters } = tool;
    return { tool, tokens: countTokens(JSON.stringify({ name, description, parameters })) };
  });
  const sorted = costs.toSorted((one, other) => other.tokens - one.tokens);
  const median = sorted[Math.floor(sorted.length / 2)]?.tokens ?? 0;
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  const [first] = sorted;
  const most = first && { tool: first.tool.id, tokens: first.tokens };
  const findings = sorted
    .filter(({ tokens }) => tokens >= OUTLIER.note && tokens >= OUTLIER.times * median)
    .map(({ tool, tokens }) => outlier(tool, tokens, median));
  return { tokens: { total, median, ...(most ? { most } : {}) }, findings };
}

function outlier(
  { id, parameters, description }: ToolDefinition,
  tokens: number,
  median: number,
): Finding {
  const texts = [
    ["the description", description],
    ...Object.entries(parameters.properties).map(([name, schema]) => [
      `parameter ${name}`,
      JSON.stringify(schema),
    ]),
    ["definitions ($defs)", JSON.stringify(parameters.$defs ?? "")],
  ] as [part: string, text: string][];
  const [[part] = [""]] = texts.toSorted(([, one], [, other]) => other.length - one.length);
  const times = Math.round(tokens / Math.max(median, 1));
  return {
    check: "cost",
    severity: tokens >= OUTLIER.warning ? "warning" : "note",
    tools: [id],
    problem: `costs ${tokens} tokens whenever it is shown, ${times} times the median of ${median}, most for ${part}`,
    change: `Shorten ${part}, leave out what is seldom given, or make several tools of it`,
  };
}

/** Finds tools that a model sees under another name than their own, because providers restrict names. */
function nameFindings(tools: readonly ToolDefinition[]): Finding[] {
  const byId = wireNames({ tools });
  return tools.flatMap(({ id, name }): Finding[] => {
    const shown = byId.get(id);
    if (shown === undefined || shown === name) return [];
    const problem = `providers do not take its name, or another tool has it, so a model sees it as ${shown}`;
    const change = `Give it one of its own, of at most ${LONGEST_WIRE_NAME} letters, digits, _ and -`;
    return [{ check: "names", severity: "note", tools: [id], problem, change }];
  });
}

/** The ids that a tool's own words find, best first; absent if there are no such words to search for. */
interface FoundByOwnWords {
  byDescription?: readonly string[];
  byName?: readonly string[];
}

/** How many hits are looked at; a tool that is not among them is not found. */
const DEPTH = 10;

/** What is searched for to see whether a tool is found by what it says about itself. */
function ownPhrases({ name, description }: ToolDefinition): {
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
function unfoundFindings(
  tools: readonly ToolDefinition[],
  found: ReadonlyMap<string, FoundByOwnWords>,
): Finding[] {
  return tools.flatMap(({ id }): Finding[] => {
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
    return described !== undefined && described >= DEPTH
      ? finding("warning", `${absent} its description finds`)
      : [];
  });
}

/** Rank among the hits, from 0; `DEPTH` if it is not among them. */
function rankIn(hits: readonly string[], id: string): number {
  const rank = hits.indexOf(id);
  return rank === -1 ? DEPTH : rank;
}
