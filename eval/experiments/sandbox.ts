/**
 * What the sandbox adds to a call of a tool: the same function called directly, as a function of a catalogue
 * through the runtime, and as a tool that a model has written; then how long the first call takes, which
 * starts a thread, and what bombs of memory leave behind.
 *
 *   npx tsx eval/experiments/sandbox.ts --compiled dist --calls 1000 --bombs 30
 *
 * With --compiled, the runtime is that of a folder with compiled code (`npm run build` makes dist), as it runs
 * when installed; without it that of the sources, whose threads also carry what reads TypeScript.
 *
 * Calls are made one after another, in a folder that is removed, after 100 of each kind to warm up. With a pause
 * between two calls, as there is where a model is asked, the thread prepares the next one in it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { nthPrime } from "../../tools/catalogs/math/index.js";
import { definitionHash } from "../../tools/library/hash.js";
import type { ToolRuntime } from "../../tools/runtime/runtime.js";
import type { ToolDefinition, ToolRecord, ToolSource } from "../../tools/tool.js";

/** The same work for all: it takes microseconds, so that what is measured is all around it. */
const ARGUMENT = 10;

const CATALOGUE_TOOL = toolOf({
  kind: "function",
  file: "tools/catalogs/math/index.ts",
  exportName: "nthPrime",
  catalog: "math",
  callStyle: "positional",
  parameterNames: ["n"],
  takesContext: false,
});

const WRITTEN_TOOL = generated(`function nth_prime(n) {
  const primes = [];
  for (let candidate = 2; primes.length < n; candidate++) {
    if (primes.every((prime) => candidate % prime !== 0)) primes.push(candidate);
  }
  return primes[n - 1];
}`);

const BOMB = generated(`function nth_prime() {
  const kept = [];
  for (;;) kept.push(new Array(10000).fill(kept.length));
}`);

let count = 0;

const { values } = parseArgs({
  options: {
    calls: { type: "string", default: "1000" },
    bombs: { type: "string", default: "30" },
    compiled: { type: "string" },
  },
});
await main({ ...values, calls: Number(values.calls), bombs: Number(values.bombs) });

async function main({
  calls,
  bombs,
  compiled,
}: {
  calls: number;
  bombs: number;
  compiled?: string;
}): Promise<void> {
  const file =
    compiled === undefined
      ? new URL("../../tools/runtime/runtime.ts", import.meta.url)
      : pathToFileURL(join(compiled, "tools/runtime/runtime.js"));
  const { createToolRuntime } = (await import(
    file.href
  )) as typeof import("../../tools/runtime/runtime.js");
  const home = mkdtempSync(join(tmpdir(), "tulipgraph-sandbox-"));
  const runtime = createToolRuntime({ home });
  try {
    const first = await msOf(() => callOnce(runtime, WRITTEN_TOOL));
    print(`first call, which starts a thread: ${first.toFixed(0)} ms`);
    const direct = await times(calls, async () => nthPrime(ARGUMENT));
    const catalogue = await times(calls, () => callOnce(runtime, CATALOGUE_TOOL));
    const written = await times(calls, () => callOnce(runtime, WRITTEN_TOOL));
    const spaced = await times(Math.ceil(calls / 5), () => callOnce(runtime, WRITTEN_TOOL), 20);
    const added = written.map((ms, index) => ms - (catalogue[index] ?? 0));
    print(`of ${calls} calls, in ms        median     p95`);
    print(`called directly            ${figures(direct)}`);
    print(`function of a catalogue    ${figures(catalogue)}`);
    print(`tool of a model            ${figures(written)}`);
    print(`the same, every 20 ms      ${figures(spaced)}`);
    print(`added by the sandbox       ${figures(added)}`);
    await measureBombs({ runtime, bombs });
  } finally {
    await runtime.close();
    rmSync(home, { recursive: true, force: true });
  }
}

async function measureBombs({ runtime, bombs }: { runtime: ToolRuntime; bombs: number }) {
  const before = process.memoryUsage().rss;
  let highest = before;
  for (let bomb = 0; bomb < bombs; bomb++) {
    await callOnce(runtime, BOMB);
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  const [most, left] = [highest, process.memoryUsage().rss].map((rss) =>
    ((rss - before) / 2 ** 20).toFixed(0),
  );
  print(`${bombs} bombs of memory: RSS grows by at most ${most} MB, by ${left} MB after the last`);
}

async function callOnce(runtime: ToolRuntime, tool: ToolRecord): Promise<void> {
  // Each in a thread of its own: the journal would answer the same call again.
  const threadId = `thread-${++count}`;
  const calls = [{ id: "call", tool, args: { n: ARGUMENT } }];
  const [outcome] = await runtime.runCalls({ threadId, calls, timeoutMs: 60_000 });
  const isRight = tool === BOMB ? outcome?.status === "error" : outcome?.result === 29;
  if (!isRight) throw new Error(`unexpected outcome: ${JSON.stringify(outcome)}`);
}

async function times(calls: number, body: () => Promise<unknown>, pauseMs = 0): Promise<number[]> {
  for (let call = 0; call < 100; call++) await body();
  const all: number[] = [];
  for (let call = 0; call < calls; call++) {
    if (pauseMs > 0) await sleep(pauseMs);
    all.push(await msOf(body));
  }
  return all;
}

async function msOf(body: () => Promise<unknown>): Promise<number> {
  const since = performance.now();
  await body();
  return performance.now() - since;
}

function figures(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  return `${at(0.5).padStart(7)} ${at(0.95).padStart(7)}`;
}

function generated(program: string): ToolRecord {
  return toolOf({
    kind: "generated",
    file: "generated",
    code: `export ${program}`,
    program,
    exportName: "nth_prime",
    parameterNames: ["n"],
    calls: [],
    checks: [],
  });
}

function toolOf(source: ToolSource): ToolRecord {
  const tool: ToolDefinition = {
    id: "nth_prime",
    name: "nth_prime",
    description: "The n-th prime number.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    source,
    effects: "read",
  };
  return { ...tool, version: 1, hash: definitionHash(tool) };
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
