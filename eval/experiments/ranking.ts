/**
 * The default weights of searches (tools/library/searchWeights.ts), chosen on public sets: how well each set's requests
 * find their tools with today's weights, and with weights learned on the other sets.
 *
 *   npx tsx eval/experiments/ranking.ts --bench ../shared/bench [--sets a,b] [--requests 400] [--embeddings provider:name]
 *
 * Vectors are cached in the home: the first run embeds some 40,000 texts, which takes minutes.
 */
import type { CachedEmbeddings } from "../../models/embeddingCache.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import {
  EVIDENCE,
  type Evidence,
  type SearchWeights,
  weightsOf,
} from "../../tools/library/searchWeights.js";
import { toolText } from "../../tools/library/toolText.js";
import { type JudgedRequest, judgeRequests, rankCandidates } from "../retrieval/evidence.js";
import { readRequestFolder } from "../retrieval/labelledRequests.js";
import { learnWeights } from "../retrieval/learnWeights.js";
import {
  meanFigures,
  SEARCH_FIGURES,
  type SearchFigures,
  searchFigures,
} from "../retrieval/searchFigures.js";
import { withTemporaryLibrary } from "../retrieval/temporaryLibrary.js";
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
  "tulip_math,workbench,restbench,apibank,nestful_v1,toolalpaca,bfcl_multiturn,metatool,bfcl_single,seal_tools,toolbench,bigmix";

/** Learning starts here: today's weights were learned from all sets, including the one left out. */
const EVEN = Object.fromEntries(EVIDENCE.map((kind) => [kind, 0.5])) as Evidence;

/** Keeps a weight bounded about which a set says nothing. */
const PULL = 1;

const {
  bench,
  sets,
  requests: most,
  embeddings: name,
} = optionsOf({ bench: BENCH, sets: SETS, requests: 400, embeddings: LOCAL_EMBEDDINGS });
const folders = presentSets({ bench, sets });
if (folders.length > 0) await withEmbeddings(name, measure);

/** A set as a search sees it. */
interface JudgedSet {
  name: string;
  tools: number;
  requests: JudgedRequest[];
}

async function measure(embeddings: CachedEmbeddings): Promise<void> {
  const weights = weightsOf(embeddings.identity ?? name);
  const judged: JudgedSet[] = [];
  for (const folder of folders) judged.push(await judgeSet({ folder, embeddings, weights }));
  const rows = judged.map((set) => {
    const others = judged.filter((other) => other !== set);
    return { ...set, today: figuresOf(set, weights), left: figuresOf(set, learned(others)) };
  });
  const columns = SEARCH_FIGURES.flatMap((figure) => [figure, `${figure} learned`]);
  writeHead(["set", "tools", "requests", ...columns]);
  for (const row of rows) writeRow([row.name, row.tools, row.requests.length, ...cellsOf(row)]);
  const today = meanFigures(rows.map((row) => row.today));
  const left = meanFigures(rows.map((row) => row.left));
  writeRow(["mean", "", "", ...cellsOf({ today, left })]);
  write(`\ntoday: ${weightsText(weights)}\nlearned on all: ${weightsText(learned(judged))}`);
}

async function judgeSet(options: {
  folder: string;
  embeddings: CachedEmbeddings;
  weights: SearchWeights;
}): Promise<JudgedSet> {
  const { folder, embeddings, weights } = options;
  const { name: set, tools, requests } = await readRequestFolder(folder);
  const some = spreadOver(requests, most);
  const model = { embeddings, name: embeddings.identity ?? name };
  await embeddings.embedMissing(tools.map(toolText));
  return await withTemporaryLibrary({ tools, model }, async (library) => ({
    name: set,
    tools: tools.length,
    requests: await judgeRequests({ library, requests: some, weights }),
  }));
}

function learned(judged: readonly JudgedSet[]): Evidence {
  return learnWeights({ sets: judged.map(({ requests }) => requests), start: EVEN, pull: PULL });
}

function figuresOf({ requests }: JudgedSet, weights: Evidence): SearchFigures {
  const figures = requests.map((request) =>
    searchFigures({
      ranked: rankCandidates(request, weights).map(({ id }) => id),
      relevant: request.relevant,
    }),
  );
  return meanFigures(figures);
}

function cellsOf({ today, left }: { today: SearchFigures; left: SearchFigures }): string[] {
  return SEARCH_FIGURES.flatMap((figure) => [shareText(today[figure]), shareText(left[figure])]);
}

function weightsText(weights: Evidence): string {
  return EVIDENCE.map((kind) => `${kind} ${weights[kind].toFixed(2)}`).join(", ");
}
