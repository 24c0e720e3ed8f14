/**
 * How much better tools are found with a retriever adapter: one adapter for all public sets, trained on 70 % of
 * the requests and measured on the others, which need other sets of tools (workbench: come from other templates).
 *
 *   npx tsx eval/experiments/adapter.ts --bench ../shared/bench [--seed 1] [--embeddings provider:name]
 *
 * Vectors are cached in the home: the first run embeds some 19,000 texts, which takes minutes.
 */
import type { FoundShare } from "../retrieval/adapterFigures.js";
import { readRequestFolder } from "../retrieval/labelledRequests.js";
import { USUAL_SEED } from "../retrieval/split.js";
import { type RetrieverTraining, trainRetriever } from "../retrieval/trainRetriever.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { mean } from "../statistics/descriptive.js";
import {
  BENCH,
  optionsOf,
  presentSets,
  shareText,
  withEmbeddings,
  write,
  writeHead,
  writeRow,
} from "./scriptSupport.js";
import type { CachedEmbeddings } from "../../models/embeddingCache.js";

const SETS =
  "metatool,toolalpaca,toolbench,seal_tools,bfcl_single,apibank,restbench,workbench,tulip_math,bfcl_multiturn,nestful_v1";

/** Sets with at least this many test requests are judged one by one. */
const LARGE = 200;

const {
  bench,
  seed,
  embeddings: name,
} = optionsOf({
  bench: BENCH,
  seed: USUAL_SEED,
  embeddings: LOCAL_EMBEDDINGS,
});
const folders = presentSets({ bench, sets: SETS });
if (folders.length > 0) await withEmbeddings(name, measure);

async function measure(embeddings: CachedEmbeddings): Promise<void> {
  const sets = [];
  for (const folder of folders) sets.push(await readRequestFolder(folder));
  const started = performance.now();
  const { figures, bestRound, rounds } = await trainRetriever({
    sets,
    model: { embeddings, name },
    seed,
    onRound: ({ round, recall }) =>
      process.stderr.write(`round ${round}: Recall@5 to stop by ${recall.toFixed(3)}\n`),
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  printTable(figures);
  write(`\nround ${bestRound} of ${rounds.length}, ${seconds} s`);
}

type Figures = RetrieverTraining["figures"][number];

function printTable(figures: readonly Figures[]): void {
  writeHead("set,tools,trained,tested,plain,adapted,gain,seen,unseen,both".split(","));
  for (const figure of figures) writeRow(cellsOf(figure));
  const gains = figures.map(({ plain, adapted }) => adapted - plain);
  const large = figures.filter(({ tested }) => tested >= LARGE);
  const least = Math.min(...large.map(({ plain, adapted }) => adapted - plain));
  write(
    `\nmean gain ${mean(gains).toFixed(3)}; least gain of a set with ${LARGE} or more ${least.toFixed(3)}`,
  );
  write(`seen in training: ${foundText(total(figures.map(({ seen }) => seen)))}`);
  write(`unseen: ${foundText(total(figures.map(({ unseen }) => unseen)))}`);
}

function cellsOf(figure: Figures): (string | number)[] {
  const { set, tools, trained, tested, plain, adapted, gain, seen, unseen, both } = figure;
  const interval = `[${shareText(gain.low)}, ${shareText(gain.high)}]`;
  const gained = `${shareText(adapted - plain)} ${interval}`;
  const recalls = [shareText(plain), shareText(adapted), gained];
  const inSearch = `${shareText(both.plain)} → ${shareText(both.adapted)}`;
  return [set, tools, trained, tested, ...recalls, foundText(seen), foundText(unseen), inSearch];
}

/** All pairs of all sets. */
function total(shares: readonly FoundShare[]): FoundShare {
  const some = shares.filter(({ pairs }) => pairs > 0);
  const pairs = some.reduce((sum, each) => sum + each.pairs, 0);
  const weighted = (valueOf: (each: FoundShare) => number) =>
    some.reduce((sum, each) => sum + (valueOf(each) * each.pairs) / pairs, 0);
  return {
    pairs,
    plain: weighted(({ plain }) => plain),
    adapted: weighted(({ adapted }) => adapted),
  };
}

function foundText({ pairs, plain, adapted }: FoundShare): string {
  return pairs === 0 ? "-" : `${shareText(plain)} → ${shareText(adapted)} (${pairs})`;
}
