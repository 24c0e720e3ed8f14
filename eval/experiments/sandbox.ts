/**
 * What the sandbox adds to a tool call: the same function is called directly, as a function of a catalogue through the
 * runtime, and as a tool written by a model. Also, how long the first call takes, which starts a thread, and how much
 * memory is left after memory bombs.
 *
 *   npx tsx eval/experiments/sandbox.ts --compiled dist --calls 1000 --bombs 30
 *
 * With --compiled, the runtime comes from a folder with compiled code (`npm run build` makes dist), as when installed;
 * otherwise from the sources, whose threads also load what reads TypeScript.
 *
 * Calls are made one after another in a temporary folder, after 100 of each kind as a warm-up. In a pause between two
 * calls, as while a model is asked, the thread prepares the next one.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { nthPrime } from "../../tools/catalogs/math/index.js";
import { definitionHash } from "../../tools/library/hash.js";
import type { ToolRuntime } from "../../tools/runtime/runtime.js";
import type { ToolDefinition, ToolRecord, ToolSource } from "../../tools/tool.js";
import { inTemporaryFolder } from "../files.js";
import { msOf, optionsOf, quantilesText, runtimeModule, write } from "./scriptSupport.js";

/** The same work for all: it takes only microseconds, so that the overhead is measured. */
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

let made = 0;

const { calls, bombs, compiled } = optionsOf({ calls: 1_000, bombs: 30, compiled: undefined });
const { createToolRuntime } = await runtimeModule(compiled);
await inTemporaryFolder("sandbox", async (home) => {
  const runtime = createToolRuntime({ home });
  try {
    await measure(runtime);
  } finally {
    await runtime.close();
  }
});

async function measure(runtime: ToolRuntime): Promise<void> {
  const first = await msOf(() => callOnce(runtime, WRITTEN_TOOL));
  write(`first call, which starts a thread: ${first.toFixed(0)} ms`);
  const direct = await times(calls, async () => nthPrime(ARGUMENT));
  const catalogue = await times(calls, () => callOnce(runtime, CATALOGUE_TOOL));
  const written = await times(calls, () => callOnce(runtime, WRITTEN_TOOL));
  const spaced = await times(Math.ceil(calls / 5), () => callOnce(runtime, WRITTEN_TOOL), 20);
  const added = written.map((ms, index) => ms - (catalogue[index] ?? 0));
  write(`of ${calls} calls, in ms        median     p95`);
  const kinds = {
    "called directly": direct,
    "function of a catalogue": catalogue,
    "tool of a model": written,
    "the same, every 20 ms": spaced,
    "added by the sandbox": added,
  };
  for (const [kind, all] of Object.entries(kinds)) {
    write(`${kind.padEnd(25)} ${quantilesText(all, [0.5, 0.95])}`);
  }
  await measureBombs(runtime);
}

async function measureBombs(runtime: ToolRuntime): Promise<void> {
  const before = process.memoryUsage().rss;
  let highest = before;
  for (let bomb = 0; bomb < bombs; bomb++) {
    await callOnce(runtime, BOMB);
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  const [most, left] = [highest, process.memoryUsage().rss].map((rss) =>
    ((rss - before) / 2 ** 20).toFixed(0),
  );
  write(`${bombs} bombs of memory: RSS grows by at most ${most} MB, by ${left} MB after the last`);
}

async function callOnce(runtime: ToolRuntime, tool: ToolRecord): Promise<void> {
  // Each in its own thread: the journal would replay the result of the same call.
  const threadId = `thread-${++made}`;
  const calls = [{ id: "call", tool, args: { n: ARGUMENT } }];
  const [outcome] = await runtime.runCalls({ threadId, calls, timeoutMs: 60_000 });
  const isRight = tool === BOMB ? outcome?.status === "error" : outcome?.result === 29;
  if (!isRight) throw new Error(`unexpected outcome: ${JSON.stringify(outcome)}`);
}

async function times(count: number, body: () => Promise<unknown>, pauseMs = 0): Promise<number[]> {
  for (let call = 0; call < 100; call++) await body();
  const all: number[] = [];
  for (let call = 0; call < count; call++) {
    if (pauseMs > 0) await sleep(pauseMs);
    all.push(await msOf(body));
  }
  return all;
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
