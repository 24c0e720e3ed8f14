/**
 * Measures which text of a tool is best to embed: Recall@5 on public tool benchmarks with the local sentence encoder.
 *
 *     npx tsx eval/experiments/toolText.ts --bench FOLDER [--sets tulip_math,metatool,apibank]
 *
 * Each set is a folder with tools.jsonl and queries.jsonl; missing sets are left out.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Embeddings } from "@langchain/core/embeddings";
import { openEmbeddings } from "../../models/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { toolText, wordsOf } from "../../tools/library/toolText.js";
import { mean } from "../statistics/descriptive.js";
import { BENCH, cosine, optionsOf, readLines, write } from "./scriptSupport.js";

interface Tool {
  id: string;
  name: string;
  description: string;
  parameters?: { properties?: Record<string, unknown> };
}

interface Query {
  query: string;
  tools: string[];
}

const K = 5;

const parameterWords = ({ parameters }: Tool) =>
  Object.keys(parameters?.properties ?? {})
    .map(wordsOf)
    .join(", ");

const FORMS: Record<string, (tool: Tool) => string> = {
  description: ({ description }) => description,
  "name:\\n description": ({ name, description }) => `${name}:\n${description}`,
  "words:\\n description": ({ name, description }) => `${wordsOf(name)}:\n${description}`,
  "words: description": ({ name, description }) => `${wordsOf(name)}: ${description}`,
  "words. description": ({ name, description }) => `${wordsOf(name)}. ${description}`,
  "words description (as the library does)": toolText,
  "name words description": (tool) => `${tool.name} ${toolText(tool)}`,
  "words description parameters": (tool) => `${toolText(tool)} ${parameterWords(tool)}`,
};

await main(optionsOf({ bench: BENCH, sets: "tulip_math,metatool,apibank" }));

async function main({ bench, sets }: { bench: string; sets: string }): Promise<void> {
  const present = sets.split(",").filter((set) => existsSync(join(bench, set, "tools.jsonl")));
  if (present.length === 0) return write(`No benchmark set in ${bench}: nothing measured.`);
  const embeddings = await openEmbeddings(LOCAL_EMBEDDINGS);
  write(`Recall@${K} | ${present.join(" | ")} | mean`);
  const columns = [];
  for (const set of present)
    columns.push(await recallOfForms({ embeddings, folder: join(bench, set) }));
  for (const form of Object.keys(FORMS)) {
    const recalls = columns.map((column) => column[form] ?? Number.NaN);
    const cells = [...recalls, mean(recalls)].map((recall) => recall.toFixed(3));
    write([form, ...cells].join(" | "));
  }
}

async function recallOfForms({
  embeddings,
  folder,
}: {
  embeddings: Embeddings;
  folder: string;
}): Promise<Record<string, number>> {
  const tools = readLines<Tool>(join(folder, "tools.jsonl"));
  const queries = readLines<Query>(join(folder, "queries.jsonl")).filter(
    ({ tools }) => tools.length > 0,
  );
  const queryVectors = await embeddings.embedDocuments(queries.map(({ query }) => query));
  const recalls: Record<string, number> = {};
  for (const [name, form] of Object.entries(FORMS)) {
    const toolVectors = await embeddings.embedDocuments(tools.map(form));
    recalls[name] = mean(
      queries.map(({ tools: wanted }, index) => {
        const found = nearest({ query: queryVectors[index] ?? [], toolVectors, tools });
        return wanted.filter((id) => found.has(id)).length / wanted.length;
      }),
    );
  }
  return recalls;
}

function nearest({
  query,
  toolVectors,
  tools,
}: {
  query: number[];
  toolVectors: number[][];
  tools: Tool[];
}): Set<string> {
  const similarities = toolVectors.map((vector) => cosine(query, vector));
  const order = tools.map((_, index) => index);
  order.sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0));
  return new Set(order.slice(0, K).map((index) => tools[index]?.id ?? ""));
}
