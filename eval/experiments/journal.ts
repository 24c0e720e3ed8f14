/**
 * What the journal adds to a call: the same small function of a user's file as one that only reads, and as one
 * that writes, whose start is written down before it runs.
 *
 *   npx tsx eval/experiments/journal.ts --compiled dist --calls 1000
 *
 * With --compiled, the runtime is that of a folder with compiled code; without it that of the sources. Calls are
 * made one after another, reads and writes in turn, in a folder that is removed, after 50 of each to warm up.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { definitionHash } from "../../tools/library/hash.js";
import type { ToolDefinition, ToolEffects, ToolRecord } from "../../tools/tool.js";

const WARM_UP = 50;

const { values } = parseArgs({
  options: { calls: { type: "string", default: "1000" }, compiled: { type: "string" } },
});

const file =
  values.compiled === undefined
    ? new URL("../../tools/runtime/runtime.ts", import.meta.url)
    : pathToFileURL(join(values.compiled, "tools/runtime/runtime.js"));
const { createToolRuntime } = (await import(
  file.href
)) as typeof import("../../tools/runtime/runtime.js");
const folder = mkdtempSync(join(tmpdir(), "tulipgraph-journal-"));
const source = join(folder, "tools.mjs");
writeFileSync(source, "export function next(n) { return n + 1; }\n");
const runtime = createToolRuntime({ home: join(folder, "home") });
try {
  const times: Record<ToolEffects, number[]> = { read: [], write: [] };
  const cpu: Record<ToolEffects, number> = { read: 0, write: 0 };
  for (let count = 0; count < Number(values.calls) + WARM_UP; count++) {
    for (const effects of ["read", "write"] as const) {
      const before = process.cpuUsage();
      const ms = await callOnce(effects, count);
      if (count < WARM_UP) continue;
      times[effects].push(ms);
      const { user, system } = process.cpuUsage(before);
      cpu[effects] += (user + system) / 1_000;
    }
  }
  print("in ms     median     p95     CPU");
  for (const effects of ["read", "write"] as const) {
    const mean = (cpu[effects] / times[effects].length).toFixed(2).padStart(7);
    print(`${effects.padEnd(6)} ${figures(times[effects])} ${mean}`);
  }
} finally {
  await runtime.close();
  rmSync(folder, { recursive: true, force: true });
}

async function callOnce(effects: ToolEffects, count: number): Promise<number> {
  const since = performance.now();
  const calls = [{ id: `call-${count}`, tool: toolOf(effects), args: { n: count } }];
  const [outcome] = await runtime.runCalls({ threadId: effects, calls, timeoutMs: 60_000 });
  if (outcome?.result !== count + 1) throw new Error(`unexpected: ${JSON.stringify(outcome)}`);
  return performance.now() - since;
}

function toolOf(effects: ToolEffects): ToolRecord {
  const tool: ToolDefinition = {
    id: "next",
    name: "next",
    description: "The next number.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    source: {
      kind: "function",
      file: source,
      exportName: "next",
      callStyle: "positional",
      parameterNames: ["n"],
      takesContext: false,
    },
    effects,
  };
  return { ...tool, version: 1, hash: definitionHash(tool) };
}

function figures(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(2);
  return `${at(0.5).padStart(9)} ${at(0.95).padStart(7)}`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
