import type { Demonstration } from "../../memory/demonstrations/demonstration.js";
import { estimateTokens } from "../../tools/library/embedding.js";
import { canonicalJson } from "../../tools/library/hash.js";
import type { ToolRecord } from "../../tools/tool.js";
import { type Random, seededRandom } from "../statistics/random.js";
import { type FineTuningExample, fineTuningExample, isWhole } from "./example.js";
import type { Rewrites } from "./rewrite.js";

/** Tools that OpenAI accepts with one request; `stop` is one of them. */
const MOST_TOOLS = 128;

/** How a fine-tuning set is made, and what is usual. */
interface SetOptions {
  /** Tools of the library that an example does not need, and that are on offer beside those it does. */
  irrelevant: number;
  /** Times that each demonstration is taken, each with other irrelevant tools in another order. */
  copies: number;
  /** Share of the demonstrations with more than one call; all are taken as they come when absent. */
  multiStep?: number;
  seed: number;
}

/** What is usual; TPTU-v2 gives no number of irrelevant tools. */
export const USUAL_SET: SetOptions = { irrelevant: 7, copies: 1, seed: 1 };

/** What a fine-tuning set is made of. */
export interface SetSource extends SetOptions {
  demonstrations: readonly Demonstration[];
  /** All tools of the library. */
  tools: readonly ToolRecord[];
}

/** A fine-tuning set, and what is in it. */
export interface FineTuningSet {
  examples: FineTuningExample[];
  /** Demonstrations with one call, and with more, that examples were made of. */
  singleStep: number;
  multiStep: number;
  /** Demonstrations that could not be used, or that the mix has no place for. */
  leftOut: { unknownTool: number; unknownResult: number; mix: number };
  /** Estimated from the characters. */
  tokens: { total: number; mean: number; longest: number };
}

/**
 * Makes a fine-tuning set of demonstrations as TPTU-v2 does (arXiv:2311.11315): the order of the tools
 * shuffled, irrelevant tools added, instructions rewritten, tasks of one step and of several mixed. One
 * that shows the same calls for the same task as another counts once. The same input and seed give the
 * same set.
 *
 * @param options.background what the model is told of the situation
 * @param options.rewrites other wordings of {@link demonstrationsOfSet}, each taken as often as a task is
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

/** The demonstrations that {@link fineTuningSet} makes examples of. */
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
  const chosen = mix({ demonstrations: usable, multiStep, random });
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

/** As many as there can be with that share, chosen by chance. */
function mix(options: {
  demonstrations: readonly Demonstration[];
  multiStep: number | undefined;
  random: Random;
}): Demonstration[] {
  const { demonstrations, multiStep: share, random } = options;
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

/** In an order by chance (Fisher and Yates). */
function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items];
  return items.flatMap(() => left.splice(Math.floor(random() * left.length), 1));
}

function tokensOf(examples: readonly FineTuningExample[]): FineTuningSet["tokens"] {
  const counts = examples.map((example) => estimateTokens([JSON.stringify(example)]));
  const total = counts.reduce((sum, count) => sum + count, 0);
  const mean = counts.length > 0 ? Math.round(total / counts.length) : 0;
  return { total, mean, longest: Math.max(0, ...counts) };
}
