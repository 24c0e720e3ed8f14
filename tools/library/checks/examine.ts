import type { ToolDefinition } from "../../tool.js";
import { costOf, type CountTokens } from "./cost.js";
import { effectFindings } from "./effects.js";
import { hiddenFindings } from "./hiddenCharacters.js";
import { nameFindings } from "./names.js";
import { orderFindings } from "./orders.js";
import { textFindings } from "./texts.js";
import { spread } from "../vectors/openIndex.js";
import { DEPTH, ownPhrases, unfoundFindings } from "./unfound.js";

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
}) {
  const { tools, find, countTokens, most } = options;
  const sample = spread(tools, most);
  const found = await findByOwnWords(sample, find);
  const cost = costOf(tools, countTokens);
  const findings = [
    ...hiddenFindings(tools),
    ...orderFindings(tools),
    ...effectFindings(tools),
    ...unfoundFindings(sample, found),
    ...textFindings(tools),
    ...cost.findings,
    ...nameFindings(tools),
  ];
  // All tools were examined for everything but their own words.
  return { findings, tokens: cost.tokens, searched: sample.length };
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
