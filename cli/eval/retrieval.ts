import { evaluateRetrieval, type RetrievalEvaluation } from "../../eval/retrieval/evaluate.js";
import type { RetrievalRow } from "../../eval/retrieval/figures.js";
import { defaultHome } from "../../home/home.js";
import { parseSettings } from "../../state/settings.js";
import { printJson, printTable, shareText } from "../printing/print.js";
import type { CommandForm } from "../command.js";
import { toCount, toList } from "../options.js";

interface RetrievalCommandOptions {
  tools: string;
  queries: string;
  topK?: number[];
  embeddings?: string;
  split?: string[];
  limit?: number;
  json?: boolean;
}

/** `tulipgraph eval retrieval` */
export const RETRIEVAL: CommandForm = {
  about:
    "Measure how well searches find tools. Compares search by meaning, by words and by both, and measures the first prompt of tulip; no chat model is used",
  options: {
    "--tools <file.jsonl>": {
      text: "JSONL file of tools: id, name, description, parameters",
      isRequired: true,
    },
    "--queries <file.jsonl>": {
      text: "JSONL file of requests: id, query, tools, split",
      isRequired: true,
    },
    "-k, --top-k <list>": { text: "ranks for Recall@k (default: 1,5,10)", read: toCounts },
    "--embeddings <provider:name>": "embedding model",
    "--split <names>": { text: "only these parts of the requests", read: toList },
    "--limit <n>": { text: "at most this many requests", read: toCount },
  },
  examples: [
    "tulipgraph eval retrieval --tools tools.jsonl --queries queries.jsonl",
    "tulipgraph eval retrieval --tools tools.jsonl --queries queries.jsonl -k 1,3,5 --embeddings openai:text-embedding-3-large --json",
  ],
  run: evalRetrieval,
};

async function evalRetrieval(options: RetrievalCommandOptions): Promise<void> {
  const { tools, queries, topK = [1, 5, 10], split, limit, json } = options;
  const evaluation = await evaluateRetrieval({
    toolsFile: tools,
    queriesFile: queries,
    ks: topK,
    embeddings: parseSettings({ embeddings: options.embeddings }).embeddings,
    selection: { split, limit },
    home: defaultHome(),
  });
  if (json) printJson(evaluation);
  else printEvaluation(evaluation);
}

function printEvaluation(evaluation: RetrievalEvaluation): void {
  const { rows, embeddings, tools, queries, prompts } = evaluation;
  const ks = rows[0]?.recall.map(({ k }) => `Recall@${k}`) ?? [];
  printTable({
    keys: 2,
    rows: [
      ["method", "split", "queries", ...ks, "NDCG@10", "COMP@10"],
      ...rows.map((row) => cells(row, embeddings)),
    ],
  });
  const { textsEmbedded, embeddingTokens } = evaluation;
  const facts = [
    ["tools", `${tools.count}`],
    [
      "first prompt",
      `names all tools for ${shareText(prompts.named)}, shows their arguments for ${shareText(prompts.signed)}; ${Math.round(prompts.tokens)} tokens, ${shareText(prompts.stable)} of them the same for all requests`,
    ],
    ["left out", `${queries.leftOut} queries without a relevant tool`],
    ["embedded", `${textsEmbedded} texts now, of all about ${embeddingTokens} tokens`],
  ];
  process.stdout.write("\n");
  printTable({ rows: facts });
}

function cells(row: RetrievalRow, embeddings: string): string[] {
  const { method, split, queries, recall, ndcg10, comp10 } = row;
  return [
    method === "words" ? method : `${method} (${embeddings})`,
    split,
    `${queries}`,
    ...recall.map(
      ({ mean, low, high }) => `${shareText(mean)} [${shareText(low)}, ${shareText(high)}]`,
    ),
    shareText(ndcg10),
    shareText(comp10),
  ];
}

function toCounts(text: string): number[] {
  return [...new Set(toList(text).map(toCount))].toSorted((a, b) => a - b);
}
