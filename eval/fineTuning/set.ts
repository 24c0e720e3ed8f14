import type { Demonstration } from "../../memory/demonstrations/demonstrationStore.js";
import { estimateTokens } from "../../tools/library/vectors/embedding.js";
import { canonicalJson } from "../../tools/library/records/hash.js";
import type { ToolRecord } from "../../tools/tool.js";
import { mean, sum } from "../statistics/descriptive.js";
import { type Random, seededRandom, shuffled } from "../statistics/random.js";
import { type FineTuningExample, fineTuningExample, isWhole } from "./example.js";
import type { Rewrites } from "./rewrite.js";

/** Tools that OpenAI accepts with one request; `stop` is one of them. */
const MOST_TOOLS = 128;

/** How to make a fine-tuning set. */
interface SetOptions {
  /** Tools on offer in each example that it does not need. */
  irrelevant: number;
  /** Examples of each demonstration, with different irrelevant tools in a different order. */
  copies: number;
  /** Share of demonstrations with more than one call; absent to use all demonstrations. */
  multiStep?: number;
  seed: number;
}

/** The defaults; TPTU-v2 does not say how many irrelevant tools it uses. */
export const USUAL_SET: SetOptions = { irrelevant: 7, copies: 1, seed: 1 };

/** What a fine-tuning set is made of. */
export interface SetSource extends SetOptions {
  demonstrations: readonly Demonstration[];
  /** All tools of the library. */
  tools: readonly ToolRecord[];
}

/** A fine-tuning set and its figures. */
export interface FineTuningSet {
  examples: FineTuningExample[];
  /** Demonstrations used, with one call and with more. */
  singleStep: number;
  multiStep: number;
  /** Demonstrations that could not be used, or that did not fit into the mix. */
  leftOut: { unknownTool: number; unknownResult: number; mix: number };
  /** Estimated from the number of characters. */
  tokens: { total: number; mean: number; longest: number };
}

/**
 * Makes a fine-tuning set from demonstrations as TPTU-v2 does (arXiv:2311.11315): shuffles the tools, adds irrelevant
 * ones, rewords instructions, and mixes tasks of one step and of several. Demonstrations with the same task and calls
 * count once. The same input and seed give the same set.
 *
 * @param options.background facts for the model
 * @param options.rewrites other wordings of {@link demonstrationsOfSet}; each is used as often as the task itself
 */
export function fineTuningSet(
  options: SetSource & { background?: string; rewrites?: Rewrites },
): FineTuningSet {
  const { tools, background, irrelevant, copies, rewrites, seed } = options;
  const random = seededRandom(seed);
  const { chosen, leftOut } = choose(options, random);
  const byId = new Map(tools.map((tool) => [tool.id, tool]));
  const worded = chosen.flatMap((demonstration) => [
    demonstration,
    ...(rewrites?.get(demonstration) ?? []).map((task) => ({ ...demonstration, task })),
  ]);
  const examples = shuffled(worded, random).flatMap((demonstration) =>
    Array.from({ length: copies }, () => {
      const shown = toolsFor({ demonstration, byId, irrelevant, random });
      return fineTuningExample({ demonstration, tools: shown, background });
    }),
  );
  const singleStep = chosen.filter(isSingleStep).length;
  const multiStep = chosen.length - singleStep;
  return { examples, singleStep, multiStep, leftOut, tokens: tokensOf(examples) };
}

/** The demonstrations that {@link fineTuningSet} uses. */
export function demonstrationsOfSet(source: SetSource): Demonstration[] {
  return choose(source, seededRandom(source.seed)).chosen;
}

function choose(
  { demonstrations, tools, multiStep }: SetSource,
  random: Random,
): { chosen: Demonstration[]; leftOut: FineTuningSet["leftOut"] } {
  const ids = new Set(tools.map(({ id }) => id));
  const distinct = withoutDoubles(demonstrations);
  const known = distinct.filter(({ calls }) => calls.every(({ tool }) => ids.has(tool)));
  const usable = known.filter(isWhole);
  const chosen = mix(usable, multiStep, random);
  const leftOut = {
    unknownTool: distinct.length - known.length,
    unknownResult: known.length - usable.length,
    mix: usable.length - chosen.length,
  };
  return { chosen, leftOut };
}

function withoutDoubles(demonstrations: readonly Demonstration[]): Demonstration[] {
  const seen = new Map<string, Demonstration>();
  for (const demonstration of demonstrations) {
    const { task, calls } = demonstration;
    const key = canonicalJson({ task, calls: calls.map(({ tool, args }) => ({ tool, args })) });
    if (!seen.has(key)) seen.set(key, demonstration);
  }
  return [...seen.values()];
}

function isSingleStep({ calls }: Demonstration): boolean {
  return calls.length === 1;
}

/** The most demonstrations with the wanted share, drawn at random. */
function mix(
  demonstrations: readonly Demonstration[],
  share: number | undefined,
  random: Random,
): Demonstration[] {
  if (share === undefined) return [...demonstrations];
  const single = demonstrations.filter(isSingleStep);
  const multi = demonstrations.filter((each) => !isSingleStep(each));
  const most = Math.min(
    share > 0 ? multi.length / share : Infinity,
    share < 1 ? single.length / (1 - share) : Infinity,
  );
  return [
    ...shuffled(single, random).slice(0, Math.round(most * (1 - share))),
    ...shuffled(multi, random).slice(0, Math.round(most * share)),
  ];
}

function toolsFor(options: {
  demonstration: Demonstration;
  byId: ReadonlyMap<string, ToolRecord>;
  irrelevant: number;
  random: Random;
}): ToolRecord[] {
  const { demonstration, byId, irrelevant, random } = options;
  const needed = new Set(demonstration.calls.map(({ tool }) => tool));
  const others = [...byId.keys()].filter((id) => !needed.has(id));
  const room = Math.max(0, Math.min(irrelevant, MOST_TOOLS - 1 - needed.size));
  const ids = [...needed, ...shuffled(others, random).slice(0, room)];
  return shuffled(ids, random).flatMap((id) => byId.get(id) ?? []);
}

function tokensOf(examples: readonly FineTuningExample[]): FineTuningSet["tokens"] {
  const counts = examples.map((example) => estimateTokens([JSON.stringify(example)]));
  return {
    total: sum(counts),
    mean: counts.length > 0 ? Math.round(mean(counts)) : 0,
    longest: Math.max(0, ...counts),
  };
}
