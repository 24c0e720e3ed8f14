/**
 * What one search before the first question to a model shows of a library: how often it shows all tools that a request
 * needs, and for how many tokens. Fixed numbers of tools are compared with cut-offs: floors for the chance that a tool
 * is needed (tools/library/cut.ts).
 *
 *   npx tsx eval/experiments/priming.ts --bench ../shared/bench [--sets a,b] [--requests 400] [--embeddings provider:name]
 *
 * Vectors are cached in the home: the first run embeds some 40,000 texts, which takes minutes.
 */
import type { CachedEmbeddings } from "../../models/embeddingCache.js";
import { LOCAL_EMBEDDINGS, parseContext } from "../../state/context.js";
import { asManyAsNeeded } from "../../tools/library/cut.js";
import { type SearchWeights, weightsOf } from "../../tools/library/searchWeights.js";
import { toolText } from "../../tools/library/toolText.js";
import { openBenchmark } from "../benchmarks/index.js";
import { o200kTokens } from "../oracle/countTokens.js";
import { judgeRequests, rankCandidates, type Scored } from "../retrieval/evidence.js";
import { withTemporaryLibrary } from "../retrieval/temporaryLibrary.js";
import { mean } from "../statistics/descriptive.js";
import {
  BENCH,
  optionsOf,
  presentSets,
  shareText,
  spreadOver,
  withEmbeddings,
  write,
  writeHead,
  writeRow,
} from "./scriptSupport.js";

const SETS =
  "math,work,tulip_math,workbench,restbench,apibank,nestful_v1,toolalpaca,bfcl_multiturn,metatool,bfcl_single,seal_tools,toolbench,bigmix";

/** How many of the ranked tools are shown. */
interface Rule {
  name: string;
  count: (scores: readonly number[]) => number;
}

const FLOORS = [0.003, 0.005, 0.007, 0.01, 0.02];
const COUNTS = [8, 10, 12, 15];

const { primingTopK } = parseContext({});

const RULES: Rule[] = [
  { name: `${primingTopK}`, count: () => primingTopK },
  ...COUNTS.map((count) => ({ name: `${count}`, count: () => count })),
  ...FLOORS.map((floor) => ({
    name: `≥ ${floor}`,
    count: (scores: readonly number[]) => asManyAsNeeded(scores, floor),
  })),
];

const {
  bench,
  sets,
  requests: most,
  embeddings: name,
} = optionsOf({ bench: BENCH, sets: SETS, requests: 400, embeddings: LOCAL_EMBEDDINGS });
const present = presentSets({ bench, sets });
if (present.length > 0) await withEmbeddings(name, measure);

/** What a rule shows for the requests of a set, as means. */
interface Shown {
  /** Share of the requests for which all needed tools are shown. */
  complete: number;
  tools: number;
  /** Of the tools' names, descriptions and parameters as JSON. */
  tokens: number;
}

async function measure(embeddings: CachedEmbeddings): Promise<void> {
  write(`All tools shown, of requests · tokens, as a share of those of ${primingTopK} tools\n`);
  writeHead(["set", "tools", "requests", "tokens", ...RULES.map((rule) => rule.name)]);
  const weights = weightsOf(embeddings.identity ?? name);
  const all: Shown[][] = [];
  for (const set of present) all.push(await measureSet({ set, embeddings, weights }));
  const means = RULES.map((_, at) => ({
    complete: mean(all.map((shown) => shown[at]?.complete ?? 0)),
    tools: mean(all.map((shown) => shown[at]?.tools ?? 0)),
    // Relative, so that sets with large tools do not count more.
    tokens: mean(all.map((shown) => (shown[at]?.tokens ?? 0) / (shown[0]?.tokens ?? 0))),
  }));
  writeRow(["mean", "", "", "", ...cellsOf(means)]);
}

async function measureSet(options: {
  set: string;
  embeddings: CachedEmbeddings;
  weights: SearchWeights;
}): Promise<Shown[]> {
  const { set, embeddings, weights } = options;
  const { name: called, tools, tasks } = await openBenchmark(set);
  const requests = spreadOver(
    tasks.filter((task) => task.tools.length > 0),
    most,
  );
  await embeddings.embedMissing(tools.map(toolText));
  const model = { embeddings, name: embeddings.identity ?? name };
  const judged = await withTemporaryLibrary({ tools, model }, (library) =>
    judgeRequests({ library, requests, weights }),
  );
  const ranked = judged.map((request) => ({
    relevant: request.relevant,
    scored: rankCandidates(request, weights),
  }));
  const count = await o200kTokens();
  const tokens = new Map(
    tools.map(({ id, name: tool, description, parameters }) => [
      id,
      count(JSON.stringify({ name: tool, description, parameters })),
    ]),
  );
  const shown = RULES.map((rule) => shownBy({ rule, ranked, tokens }));
  const whole = shown[0]?.tokens.toFixed(0);
  writeRow([called, tools.length, requests.length, whole, ...cellsOf(shown)]);
  return shown;
}

function shownBy(options: {
  rule: Rule;
  ranked: readonly { relevant: readonly string[]; scored: readonly Scored[] }[];
  tokens: ReadonlyMap<string, number>;
}): Shown {
  const { rule, ranked, tokens } = options;
  const shown = ranked.map(({ relevant, scored }) => {
    const wanted = rule.count(scored.map(({ score }) => score));
    const ids = scored.slice(0, Math.min(wanted, primingTopK)).map(({ id }) => id);
    return {
      complete: relevant.every((id) => ids.includes(id)) ? 1 : 0,
      tools: ids.length,
      tokens: ids.reduce((sum, id) => sum + (tokens.get(id) ?? 0), 0),
    };
  });
  return {
    complete: mean(shown.map(({ complete }) => complete)),
    tools: mean(shown.map((each) => each.tools)),
    tokens: mean(shown.map((each) => each.tokens)),
  };
}

/** Tokens are relative to those of the first rule. */
function cellsOf(shown: readonly Shown[]): string[] {
  const whole = shown[0]?.tokens ?? 0;
  return shown.map(({ complete, tokens }) => {
    const share = shareText(complete, 2);
    return tokens === whole ? share : `${share} · ${shareText(tokens / whole, 2)}`;
  });
}
