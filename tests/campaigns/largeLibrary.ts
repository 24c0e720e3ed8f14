/**
 * What a large library costs in processor time: import, the first search and later ones, over copies of a set's tools
 * under names of their own. Vectors count words, so that no encoder takes part; with `--encoder`, the import alone is
 * measured, with vectors of the packaged one.
 *
 *   npx tsx tests/campaigns/largeLibrary.ts --bench FOLDER [--count 100000] [--encoder] [--root OTHER_CHECKOUT]
 *
 * FOLDER has tools.jsonl and queries.jsonl.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { openLibraryStore as OpenStore } from "../../tools/library/store.js";
import type { ToolDefinition } from "../../tools/tool.js";
import { openEmbeddings } from "../../models/embeddings/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../state/settings.js";
import { wordEmbeddings } from "../fakes/wordEmbeddings.js";
import { optionsOf, write } from "./scriptSupport.js";

const { bench, count, encoder, requests, root } = optionsOf({
  bench: undefined,
  encoder: false,
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
const embeddings = encoder
  ? await openEmbeddings(LOCAL_EMBEDDINGS)
  : wordEmbeddings({ dimensions: 512 });
const library = await store.open({
  name: "large",
  embeddings,
  embeddingModel: encoder ? LOCAL_EMBEDDINGS : "fake:words",
  create: true,
});
const tools = Array.from({ length: count }, (_, at) => copyOf(at));
const begun = performance.now();
const imported = await costOf(() =>
  library.sync({ origin: "large", fingerprint: "1", embed: encoder, tools }),
);
const waited = (performance.now() - begun) / 1000;
write(
  `import ${encoder ? "with" : "without"} embedding: ${(imported / 1000).toFixed(1)} s, ${waited.toFixed(1)} s by the clock`,
);
for (const ranking of encoder ? [] : (["words", "meaning", "both"] as const)) {
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
