import { Command } from "commander";
import { evaluateRetrieval, type RetrievalEvaluation } from "../../eval/retrieval/evaluate.js";
import type { RetrievalRow } from "../../eval/retrieval/figures.js";
import { defaultHome } from "../../home/home.js";
import { parseSettings } from "../../state/settings.js";
import { EXIT, type Exit } from "../exit.js";
import { printJson, printTable, shareText } from "../printing/print.js";
import { examples, toCount, toList } from "../options.js";

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
export function retrievalCommand(exit: Exit): Command {
  return new Command("retrieval")
    .description(
      "Measure how well searches find tools. Compares search by meaning, by words and by both, and measures the first prompt of tulip; no chat model is used",
    )
    .requiredOption(
      "--tools <file.jsonl>",
      "JSONL file of tools: id, name, description, parameters",
    )
    .requiredOption("--queries <file.jsonl>", "JSONL file of requests: id, query, tools, split")
    .option("-k, --top-k <list>", "ranks for Recall@k (default: 1,5,10)", toCounts)
    .option("--embeddings <provider:name>", "embedding model")
    .option("--split <names>", "only these parts of the requests", toList)
    .option("--limit <n>", "at most this many requests", toCount)
    .addHelpText(
      "after",
      examples([
        "tulipgraph eval retrieval --tools tools.jsonl --queries queries.jsonl",
        "tulipgraph eval retrieval --tools tools.jsonl --queries queries.jsonl -k 1,3,5 --embeddings openai:text-embedding-3-large --json",
      ]),
    )
    .action(async (options: RetrievalCommandOptions) => {
      await evalRetrieval(options);
      exit(EXIT.done);
    });
}

async function evalRetrieval(options: RetrievalCommandOptions): Promise<void> {
  const { tools, queries, topK = [1, 5, 10], split, limit, json } = options;
  const evaluation = await evaluateRetrieval({
    toolsFile: tools,
    queriesFile: queries,
    ks: topK,
    embeddings: parseSettings({ embeddings: options.embeddings }).embeddings,
    selection: { splits: split, limit },
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
