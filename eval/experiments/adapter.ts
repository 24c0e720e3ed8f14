/**
 * How much better tools are found with a retriever adapter, one for all public sets together, trained
 * on 70 % of the requests and measured on the others, which need other sets of tools (workbench: come
 * from other templates).
 *
 *   npx tsx eval/experiments/adapter.ts --bench ../shared/bench [--seed 1] [--embeddings provider:name]
 *
 * Vectors are kept in the home's cache: the first run embeds some 19,000 texts, which takes minutes.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { AdapterFigures, FoundShare } from "../retrieval/adapterFigures.js";
import { readRequestFolder } from "../retrieval/labelledRequests.js";
import { trainRetriever, USUAL_SEED } from "../retrieval/trainRetriever.js";
import { cachedEmbeddings } from "../../models/embeddingCache.js";
import { openEmbeddings } from "../../models/embeddings.js";
import { defaultHome } from "../../workspace/home.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";

const SETS = [
  "metatool",
  "toolalpaca",
  "toolbench",
  "seal_tools",
  "bfcl_single",
  "apibank",
  "restbench",
  "workbench",
  "tulip_math",
  "bfcl_multiturn",
  "nestful_v1",
];

/** Sets with so many test requests are looked at one by one. */
const LARGE = 200;

const { values } = parseArgs({
  options: {
    bench: { type: "string", default: "../shared/bench" },
    seed: { type: "string", default: `${USUAL_SEED}` },
    embeddings: { type: "string", default: LOCAL_EMBEDDINGS },
  },
});
const folders = SETS.map((set) => join(values.bench, set)).filter((folder) => existsSync(folder));
if (folders.length === 0) write(`${values.bench} has none of the sets: skipped`);
else await measure(folders);

async function measure(folders: readonly string[]): Promise<void> {
  const sets = [];
  for (const folder of folders) sets.push(await readRequestFolder(folder));
  const name = values.embeddings;
  const embeddings = cachedEmbeddings({
    embeddings: await openEmbeddings(name),
    model: name,
    file: join(defaultHome(), "embeddings.db"),
    onProgress: ({ done, total }) => process.stderr.write(`embedding: ${done}/${total}\n`),
  });
  try {
    const started = performance.now();
    const { figures, bestRound, rounds } = await trainRetriever({
      sets,
      model: { embeddings, name },
      seed: Number(values.seed),
      onRound: ({ round, recall }) =>
        process.stderr.write(`round ${round}: Recall@5 to stop by ${recall.toFixed(3)}\n`),
    });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    printTable(figures);
    write(`\nround ${bestRound} of ${rounds.length}, ${seconds} s`);
  } finally {
    embeddings.close();
  }
}

function printTable(figures: readonly AdapterFigures[]): void {
  write("| set | tools | trained | tested | plain | adapted | gain | seen | unseen |");
  write("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const figure of figures) write(rowOf(figure));
  const gains = figures.map(({ plain, adapted }) => adapted - plain);
  const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  const large = figures.filter(({ tested }) => tested >= LARGE);
  const least = Math.min(...large.map(({ plain, adapted }) => adapted - plain));
  write(
    `\nmean gain ${mean.toFixed(3)}; least gain of a set with ${LARGE} or more ${least.toFixed(3)}`,
  );
  write(`seen in training: ${foundText(total(figures.map(({ seen }) => seen)))}`);
  write(`unseen: ${foundText(total(figures.map(({ unseen }) => unseen)))}`);
}

function rowOf(figure: AdapterFigures): string {
  const { set, tools, trained, tested, plain, adapted, gain, seen, unseen } = figure;
  const interval = `[${share(gain.low)}, ${share(gain.high)}]`;
  const counts = [set, tools, trained, tested].join(" | ");
  const recall = `${share(plain)} | ${share(adapted)} | ${share(adapted - plain)} ${interval}`;
  return `| ${counts} | ${recall} | ${foundText(seen)} | ${foundText(unseen)} |`;
}

/** All pairs of all sets together. */
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
  return pairs === 0 ? "-" : `${share(plain)} → ${share(adapted)} (${pairs})`;
}

function share(value: number): string {
  return value.toFixed(3).replace(/^(-?)0/, "$1");
}

function write(line: string): void {
  process.stdout.write(`${line}\n`);
}
