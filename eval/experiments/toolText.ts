/**
 * Measures which text of a tool is best to embed: Recall@5 of the requests of public tool benchmarks,
 * with the local sentence encoder.
 *
 *     npx tsx eval/experiments/toolText.ts --bench FOLDER [--sets tulip_math,metatool,apibank]
 *
 * Each set is a folder with tools.jsonl and queries.jsonl; sets that are absent are left out.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Embeddings } from "@langchain/core/embeddings";
import { openEmbeddings } from "../../models/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import { toolText, wordsOf } from "../../tools/library/toolText.js";

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

const { values } = parseArgs({
  options: {
    bench: { type: "string", default: "../shared/bench" },
    sets: { type: "string", default: "tulip_math,metatool,apibank" },
  },
});
await main(values);

async function main({ bench, sets }: { bench: string; sets: string }): Promise<void> {
  const present = sets.split(",").filter((set) => existsSync(join(bench, set, "tools.jsonl")));
  if (present.length === 0) {
    process.stdout.write(`No benchmark set in ${bench}: nothing measured.\n`);
    return;
  }
  const embeddings = await openEmbeddings(LOCAL_EMBEDDINGS);
  process.stdout.write(`Recall@${K} | ${present.join(" | ")} | mean\n`);
  const columns = [];
  for (const set of present)
    columns.push(await recallOfForms({ embeddings, folder: join(bench, set) }));
  for (const form of Object.keys(FORMS)) {
    const recalls = columns.map((column) => column[form] ?? Number.NaN);
    const cells = [...recalls, mean(recalls)].map((recall) => recall.toFixed(3));
    process.stdout.write(`${[form, ...cells].join(" | ")}\n`);
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
  const queryVectors = await embedAll(
    embeddings,
    queries.map(({ query }) => query),
  );
  const recalls: Record<string, number> = {};
  for (const [name, form] of Object.entries(FORMS)) {
    const toolVectors = await embedAll(embeddings, tools.map(form));
    recalls[name] = mean(
      queries.map(({ tools: wanted }, index) => {
        const found = nearest({ query: queryVectors[index] ?? [], toolVectors, tools });
        return wanted.filter((id) => found.has(id)).length / wanted.length;
      }),
    );
  }
  return recalls;
}

async function embedAll(embeddings: Embeddings, texts: string[]): Promise<number[][]> {
  const vectors = await embeddings.embedDocuments(texts);
  return vectors.map((vector) => {
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
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
  const similarities = toolVectors.map((vector) =>
    vector.reduce((sum, value, axis) => sum + value * (query[axis] ?? 0), 0),
  );
  const order = tools.map((_, index) => index);
  order.sort((a, b) => (similarities[b] ?? 0) - (similarities[a] ?? 0));
  return new Set(order.slice(0, K).map((index) => tools[index]?.id ?? ""));
}

function readLines<Line>(file: string): Line[] {
  const lines = readFileSync(file, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Line);
}

function mean(numbers: number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
}
