import type { ToolDefinition } from "../tool.js";
import type { Finding } from "./finding.js";

/** What it costs to show the tools of a library to a model, in tokens. */
export interface TokenFigures {
  total: number;
  median: number;
  /** The most expensive tool; undefined for a library without tools. */
  most?: { tool: string; tokens: number };
}

/** Counts the tokens of a text, or estimates them. */
export type CountTokens = (text: string) => number;

/** A tool costs too much if it has so many times the median and also so many tokens. */
const OUTLIER = { times: 4, warning: 1000, note: 400 };

/** A part is to blame if it is more than one in this many of the tokens. */
const LARGE_PART = 3;

/** Finds tools that cost far more than others, and what all cost. Counts what providers are sent of a tool. */
export function costOf(
  tools: readonly ToolDefinition[],
  countTokens: CountTokens,
): { tokens: TokenFigures; findings: Finding[] } {
  const costs = tools.map((tool) => ({ tool, tokens: countTokens(sentText(tool)) }));
  const sorted = costs.toSorted((one, other) => other.tokens - one.tokens);
  const median = sorted[Math.floor(sorted.length / 2)]?.tokens ?? 0;
  const total = costs.reduce((sum, { tokens }) => sum + tokens, 0);
  const [first] = sorted;
  const most = first && { tool: first.tool.id, tokens: first.tokens };
  const findings = sorted
    .filter(({ tokens }) => tokens >= OUTLIER.note && tokens >= OUTLIER.times * median)
    .map(({ tool, tokens }) => outlier({ tool, tokens, median, countTokens }));
  return { tokens: { total, median, ...(most ? { most } : {}) }, findings };
}

function outlier(options: {
  tool: ToolDefinition;
  tokens: number;
  median: number;
  countTokens: CountTokens;
}): Finding {
  const { tool, tokens, median, countTokens } = options;
  const parts = [
    { part: "the description", tokens: countTokens(tool.description) },
    ...Object.entries(tool.parameters.properties).map(([name, schema]) => ({
      part: `parameter ${name}`,
      tokens: countTokens(JSON.stringify(schema)),
    })),
    {
      part: "definitions ($defs)",
      tokens: countTokens(JSON.stringify(tool.parameters.$defs ?? "")),
    },
  ].toSorted((one, other) => other.tokens - one.tokens);
  const largest = parts[0] ?? { part: "the name", tokens: 0 };
  const times = Math.round(tokens / Math.max(median, 1));
  const isToBlame = largest.tokens * LARGE_PART > tokens;
  const count = Object.keys(tool.parameters.properties).length;
  const where = isToBlame ? `${largest.part} alone ${largest.tokens}` : `in ${count} parameters`;
  return {
    check: "cost",
    severity: tokens >= OUTLIER.warning ? "warning" : "note",
    tools: [tool.id],
    problem: `costs ${tokens} tokens whenever it is shown, ${times} times the median of ${median}; ${where}`,
    change: isToBlame
      ? `Shorten ${largest.part}`
      : "Leave out parameters that are seldom given, or make several tools of it",
  };
}

function sentText({ name, description, parameters }: ToolDefinition): string {
  return JSON.stringify({ name, description, parameters });
}
