import type { Hit } from "../library/nearest.js";
import type { Ranking } from "../library/request.js";
import { toolText } from "../library/toolText.js";
import type { ToolDefinition } from "../tool.js";
import { costOf, type CountTokens, type TokenFigures } from "./cost.js";
import type { Finding } from "./finding.js";
import { giverFindings } from "./givers.js";
import { hiddenFindings } from "./hiddenCharacters.js";
import { nameFindings } from "./names.js";
import { orderFindings } from "./orders.js";
import { textFindings } from "./texts.js";
import { twinFindings } from "./twins.js";
import { DEPTH, type FoundByOwnWords, ownPhrases, unfoundFindings } from "./unfound.js";

/** Searches the library that is examined; returns hits for each phrase, in the order of the phrases. */
export type FindTools = (question: {
  phrases: readonly string[];
  topK: number;
  ranking: Ranking;
}) => Promise<Hit[][]>;

export interface Examination {
  findings: Finding[];
  tokens: TokenFigures;
  /** How many tools were searched for by their own words; all tools were examined for everything else. */
  searched: number;
}

/** How many of the nearest tools are checked for twins; the first is the tool itself. */
const NEAREST = 3;

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
}): Promise<Examination> {
  const { tools, find, countTokens, most } = options;
  const sample = spread(tools, most);
  const found = await findByOwnWords({ sample, tools, find });
  const near = await findNearest({ sample, find });
  const cost = costOf(tools, countTokens);
  const findings = [
    ...hiddenFindings(tools),
    ...orderFindings(tools),
    ...unfoundFindings(sample, found),
    ...twinFindings({ tools, found, near }),
    ...textFindings(tools),
    ...giverFindings(tools),
    ...cost.findings,
    ...nameFindings(tools),
  ];
  return { findings, tokens: cost.tokens, searched: sample.length };
}

/** At most this many tools, spread evenly over all. */
function spread<Tool>(tools: readonly Tool[], most: number): Tool[] {
  if (tools.length <= most) return [...tools];
  return Array.from({ length: most }, (_, at) => Math.floor((at * tools.length) / most)).flatMap(
    (at) => tools[at] ?? [],
  );
}

async function findByOwnWords(options: {
  sample: readonly ToolDefinition[];
  tools: readonly ToolDefinition[];
  find: FindTools;
}): Promise<Map<string, FoundByOwnWords>> {
  const { sample, tools, find } = options;
  const wanted = sample.map((tool) => ({ id: tool.id, ...ownPhrases(tool) }));
  const byDescription = await findEach({
    find,
    phrases: wanted.map(({ description }) => description),
  });
  const byName = await findEach({ find, phrases: wanted.map(({ name }) => name) });
  const found = new Map(
    wanted.map(({ id }, at): [string, FoundByOwnWords] => [
      id,
      { byDescription: byDescription[at], byName: byName[at] },
    ]),
  );
  // The tool that comes before another may not be in the sample, but whether they are a pair takes its search, too.
  const first = new Set([...found.values()].flatMap(({ byDescription: ids }) => ids?.[0] ?? []));
  const rivals = tools.filter(({ id }) => first.has(id) && !found.has(id));
  const back = await findEach({
    find,
    phrases: rivals.map((tool) => ownPhrases(tool).description),
  });
  for (const [at, { id }] of rivals.entries()) found.set(id, { byDescription: back[at] });
  return found;
}

/** Ids for each phrase; undefined for a blank one. */
async function findEach(options: {
  find: FindTools;
  phrases: readonly string[];
}): Promise<(string[] | undefined)[]> {
  const { find, phrases } = options;
  const results = await find({ phrases, topK: DEPTH, ranking: "both" });
  return results.map((hits, at) => (phrases[at] === "" ? undefined : hits.map(({ id }) => id)));
}

async function findNearest(options: {
  sample: readonly ToolDefinition[];
  find: FindTools;
}): Promise<Map<string, Hit[]>> {
  const { sample, find } = options;
  const results = await find({ phrases: sample.map(toolText), topK: NEAREST, ranking: "meaning" });
  return new Map(sample.map(({ id }, at) => [id, results[at] ?? []]));
}
