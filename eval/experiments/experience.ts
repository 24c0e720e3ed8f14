/**
 * Measures the time and memory for weighing five candidates by millions of past calls: once with few tools, each
 * called in many past requests, and once with many tools.
 *
 *     npx tsx eval/experiments/experience.ts [--calls 2500000] [--queries 100000] [--tools 100,20000]
 *
 * The experience is synthetic and lies in a temporary folder. It is measured in a separate process: "cold" is the first
 * question of a process, which reads the vectors from the file; "warm" is a question about another request after the
 * process has read the past requests and embedded the new one.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Embeddings } from "@langchain/core/embeddings";
import { valuesOf } from "../../budget/toolValues.js";
import type { PastCall } from "../../memory/experience.js";
import { openExperience } from "../../memory/openExperience.js";
import { seededRandom } from "../statistics/random.js";
import { inTemporaryFolder } from "../files.js";
import { optionsOf, write } from "./scriptSupport.js";

const DIMENSION = 512;
const CANDIDATES = 5;
const WARM_QUESTIONS = 21;
const ADDED_AT_ONCE = 5000;
const LIBRARY = "synthetic";

/** Size of the synthetic experience. */
interface Size {
  calls: number;
  queries: number;
  tools: number;
}

const values = optionsOf({
  calls: 2_500_000,
  queries: 100_000,
  tools: "100,20000",
  measure: undefined,
});
if (values.measure === undefined) {
  for (const tools of values.tools.split(",")) await measureSize(sizeOf(tools));
} else {
  await measureHere({ home: values.measure, size: sizeOf(values.tools) });
}

function sizeOf(tools: string): Size {
  const { calls, queries } = values;
  return { calls, queries, tools: Number(tools) };
}

async function measureSize(size: Size): Promise<void> {
  await inTemporaryFolder("experience", async (home) => {
    const started = performance.now();
    await fillExperience({ home, size });
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const file = megabytes(statSync(join(home, "memory.db")).size);
    const { calls, queries, tools } = size;
    write(`${calls} calls in ${queries} requests, ${tools} tools: ${file}, made in ${seconds} s`);
    const sizes = ["--calls", `${calls}`, "--queries", `${queries}`, "--tools", `${tools}`];
    const child = fork(fileURLToPath(import.meta.url), ["--measure", home, ...sizes]);
    await once(child, "close");
  });
}

/** Adds the calls, and has all past requests embedded. */
async function fillExperience({ home, size }: { home: string; size: Size }): Promise<void> {
  const experience = openExperience({ home });
  const random = seededRandom(1);
  let pastCalls: PastCall[] = [];
  for (let number = 0; number < size.calls; number += 1) {
    pastCalls.push(syntheticCall({ number, size, random }));
    if (pastCalls.length < ADDED_AT_ONCE) continue;
    await experience.add(pastCalls);
    pastCalls = [];
  }
  await experience.add(pastCalls);
  const tools = Array.from({ length: size.tools }, (_, tool) => `tool_${tool}`);
  await experience.evidence({ ...questionAbout("the first request"), tools });
  await experience.close();
}

function syntheticCall(options: { number: number; size: Size; random: () => number }): PastCall {
  const { number, size, random } = options;
  const query = number % size.queries;
  return {
    id: `usage_${number}`,
    library: LIBRARY,
    query: `past request ${query}`,
    tool: `tool_${Math.floor(random() * size.tools)}`,
    args: { value: query },
    result: `result ${number}`,
    failed: false,
    helpful: random() < 0.5,
    judgedBy: "given",
    cost: 1,
    ms: 1,
    at: number,
  };
}

async function measureHere({ home, size }: { home: string; size: Size }): Promise<void> {
  const experience = openExperience({ home });
  const random = seededRandom(2);
  const tools = Array.from(
    { length: CANDIDATES },
    () => `tool_${Math.floor(random() * size.tools)}`,
  );
  const ask = async (request: string) => {
    const started = performance.now();
    const evidence = await experience.evidence({ ...questionAbout(request), tools });
    const found = performance.now();
    valuesOf({ evidence, rounding: "code", threshold: 0.15 });
    const done = performance.now();
    const rows = evidence.map((tool) => tool.rows.length);
    const rss = process.memoryUsage.rss();
    return { ms: done - started, evidenceMs: found - started, rows, rss };
  };
  const cold = await ask("request 0");
  const warm: Awaited<ReturnType<typeof ask>>[] = [];
  for (let question = 1; question <= WARM_QUESTIONS; question += 1) {
    await embedRequest(`request ${question}`);
    warm.push(await ask(`request ${question}`));
  }
  warm.sort((a, b) => a.ms - b.ms);
  const [best, median, worst] = [0, Math.floor(warm.length / 2), -1].map((at) => warm.at(at));
  write(`  rows of the candidates: ${cold.rows.join(", ")}`);
  write(`  cold: ${timesOf(cold)}`);
  write(`  warm: ${timesOf(median)}; at best ${timesOf(best)}, at worst ${timesOf(worst)}`);
  const rss = Math.max(...[cold, ...warm].map((question) => question.rss));
  write(`  RSS: ${megabytes(rss)} at most, after a question`);
  await experience.close();

  /** The store keeps the vector of a request after any question about it. */
  async function embedRequest(request: string) {
    await experience.evidence({ ...questionAbout(request), tools: tools.slice(0, 1) });
  }
}

function timesOf(times?: { ms: number; evidenceMs: number }): string {
  const { ms, evidenceMs } = times ?? { ms: Number.NaN, evidenceMs: Number.NaN };
  return `${ms.toFixed(0)} ms (evidence ${evidenceMs.toFixed(0)})`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`;
}

function questionAbout(query: string) {
  return {
    library: LIBRARY,
    query,
    embeddings: { name: "synthetic:random", model: randomDirections() },
  };
}

/** A model that gives each text a random direction, always the same. */
function randomDirections(): Embeddings {
  return new (class extends Embeddings {
    async embedDocuments(texts: string[]): Promise<number[][]> {
      return texts.map(directionOf);
    }

    async embedQuery(text: string): Promise<number[]> {
      return directionOf(text);
    }
  })({});
}

function directionOf(text: string): number[] {
  const random = seededRandom(seedOf(text));
  return Array.from({ length: DIMENSION }, () => random() - 0.5);
}

function seedOf(text: string): number {
  let seed = 0;
  for (const character of text) seed = (Math.imul(seed, 31) + (character.codePointAt(0) ?? 0)) | 0;
  return seed;
}
