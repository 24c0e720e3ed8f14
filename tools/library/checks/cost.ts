import type { ToolDefinition } from "../../tool.js";
import type { Finding } from "./finding.js";

/** Counts the tokens of a text, or estimates them. */
export type CountTokens = (text: string) => number;

/** A tool costs too much if it has so many times the median and also so many tokens. */
const OUTLIER = { times: 4, warning: 1000, note: 400 };

/** Finds tools that cost far more than others, and what all cost. Counts what providers are sent of a tool. */
export function costOf(
  tools: readonly ToolDefinition[],
  countTokens: CountTokens,
): {
  tokens: {
    total: number;
    median: number;
    /** The most expensive tool; undefined for a library without tools. */
    most?: { tool: string; tokens: number };
  };
  findings: Finding[];
} {
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
