/**
 * What a large library costs in processor time: import, the first search and later ones, over copies of a set's tools
 * under names of their own. Vectors count words, so that no encoder takes part.
 *
 *   npx tsx tests/campaigns/largeLibrary.ts --bench FOLDER [--count 100000] [--root OTHER_CHECKOUT]
 *
 * FOLDER has tools.jsonl and queries.jsonl.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { openLibraryStore as OpenStore } from "../../tools/library/store.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { optionsOf, write } from "./scriptSupport.js";

const { bench, count, requests, root } = optionsOf({
  bench: undefined,
  count: 100_000,
  requests: 100,
  root: ".",
});
if (bench === undefined) throw new Error("Name a folder with --bench");

const parsed = <Row>(name: string) =>
  readFileSync(join(bench, name), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Row);
const originals = parsed<ToolDefinition>("tools.jsonl");
const asked = parsed<{ query: string }>("queries.jsonl");
const phrases = Array.from(
  { length: Math.min(requests, asked.length) },
  (_, at) => asked[Math.floor((at * asked.length) / requests)]?.query ?? "",
);

function copyOf(at: number): ToolDefinition {
  const original = originals[at % originals.length] as ToolDefinition;
  const copy = Math.floor(at / originals.length);
  return {
    ...original,
    id: `${original.id}#${copy}`,
    name: copy > 0 ? `${original.name} ${copy}` : original.name,
    description: original.description ?? "",
    parameters: original.parameters ?? { type: "object", properties: {} },
    source: { kind: "declared", file: "tools.jsonl" },
    effects: "read",
  };
}

/** Milliseconds of processor time. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const { openLibraryStore } = (await import(
  pathToFileURL(join(resolve(root), "tools/library/store.ts")).href
)) as { openLibraryStore: typeof OpenStore };
const home = mkdtempSync(join(tmpdir(), "large-"));
const store = openLibraryStore({ home });
const embeddings = wordEmbeddings({ dimensions: 512 });
const library = await store.open({
  name: "large",
  embeddings,
  embeddingModel: "fake:words",
  create: true,
});
const tools = Array.from({ length: count }, (_, at) => copyOf(at));
const imported = await costOf(() =>
  library.sync({ origin: "large", fingerprint: "1", embed: false, tools }),
);
write(`import without embedding: ${(imported / 1000).toFixed(1)} s`);
for (const ranking of ["words", "meaning", "both"] as const) {
  const search = (phrase: string) =>
    costOf(() => library.search({ phrases: [phrase], topK: 5, ranking }));
  const first = await search("warm up");
  const costs: number[] = [];
  for (const phrase of phrases) costs.push(await search(phrase));
  costs.sort((one, other) => one - other);
  const [middle, late] = [0.5, 0.95].map((share) => costs[Math.floor(share * costs.length)] ?? 0);
  write(
    `search by ${ranking}: p50 ${middle?.toFixed(0)} ms, p95 ${late?.toFixed(0)} ms; the first took ${(first / 1000).toFixed(1)} s`,
  );
}
await store.close();
rmSync(home, { recursive: true });
