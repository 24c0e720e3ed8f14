/**
 * What the journal adds to a call: the same small function of a user's file once as a read, and once as a write, whose
 * start is recorded before it runs.
 *
 *   npx tsx eval/experiments/journal.ts --compiled dist --calls 1000
 *
 * With --compiled, the runtime comes from a folder with compiled code; otherwise from the sources. Calls are made one
 * after another, reads and writes alternating, in a temporary folder, after 50 of each as a warm-up.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { definitionHash } from "../../tools/library/hash.js";
import type { ToolRuntime } from "../../tools/runtime/runtime.js";
import type { ToolDefinition, ToolEffects, ToolRecord } from "../../tools/tool.js";
import { inTemporaryFolder } from "../files.js";
import { msOf, optionsOf, quantilesText, runtimeModule, write } from "./scriptSupport.js";

const WARM_UP = 50;

const { calls, compiled } = optionsOf({ calls: 1_000, compiled: undefined });
const { createToolRuntime } = await runtimeModule(compiled);

await inTemporaryFolder("journal", async (folder) => {
  const source = join(folder, "tools.mjs");
  writeFileSync(source, "export function next(n) { return n + 1; }\n");
  const runtime = createToolRuntime({ home: join(folder, "home") });
  try {
    await measure(runtime, source);
  } finally {
    await runtime.close();
  }
});

async function measure(runtime: ToolRuntime, source: string): Promise<void> {
  const times: Record<ToolEffects, number[]> = { read: [], write: [] };
  const cpu: Record<ToolEffects, number> = { read: 0, write: 0 };
  for (let count = 0; count < calls + WARM_UP; count++) {
    for (const effects of ["read", "write"] as const) {
      const before = process.cpuUsage();
      const tool = toolOf(effects, source);
      const ms = await msOf(() => callOnce({ runtime, tool, count }));
      if (count < WARM_UP) continue;
      times[effects].push(ms);
      const { user, system } = process.cpuUsage(before);
      cpu[effects] += (user + system) / 1_000;
    }
  }
  write("in ms     median     p95     CPU");
  for (const effects of ["read", "write"] as const) {
    const mean = (cpu[effects] / times[effects].length).toFixed(2).padStart(7);
    write(`${effects.padEnd(6)} ${quantilesText(times[effects], [0.5, 0.95])} ${mean}`);
  }
}

async function callOnce(options: {
  runtime: ToolRuntime;
  tool: ToolRecord;
  count: number;
}): Promise<void> {
  const { runtime, tool, count } = options;
  const calls = [{ id: `call-${count}`, tool, args: { n: count } }];
  const threadId = tool.effects ?? "read";
  const [outcome] = await runtime.runCalls({ threadId, calls, timeoutMs: 60_000 });
  if (outcome?.result !== count + 1) throw new Error(`unexpected: ${JSON.stringify(outcome)}`);
}

function toolOf(effects: ToolEffects, file: string): ToolRecord {
  const tool: ToolDefinition = {
    id: "next",
    name: "next",
    description: "The next number.",
    parameters: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
    source: {
      kind: "function",
      file,
      exportName: "next",
      callStyle: "positional",
      parameterNames: ["n"],
      takesContext: false,
    },
    effects,
  };
  return { ...tool, version: 1, hash: definitionHash(tool) };
}
