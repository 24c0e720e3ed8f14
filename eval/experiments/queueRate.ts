/**
 * How many more runs four workers make than one through a queue, with a model that takes half a second.
 *
 *   npx tsx eval/experiments/queueRate.ts [--tasks N] [--wait MS] [--workers N]
 *
 * Starts its own Postgres (Debian's package), a chat endpoint on loopback and the workers, each a process that makes one
 * run at a time. The rate counts from the start of the first run to the end of the last, by the workers' clocks.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { startChatEndpoint } from "../../tests/fakes/chatEndpoint.js";
import { startPostgres } from "../../tests/postgresServer.js";
import type { RunRecord } from "../runs/runRecord.js";
import { optionsOf, readLines, write } from "./scriptSupport.js";

const { tasks, wait: waitMs, workers } = optionsOf({ tasks: 60, wait: 500, workers: 4 });

const COMMAND = resolve(import.meta.dirname, "../../bin/tulipgraph.mjs");

const postgres = await startPostgres();
if (!postgres) throw new Error("Postgres is not installed (Debian: apt-get install postgresql)");
const model = await startChatEndpoint(async () => {
  await sleep(waitMs);
  return { content: "42" };
});
const folder = mkdtempSync(join(tmpdir(), "tulipgraph-rate-"));
try {
  const one = await rate(1);
  const many = await rate(workers);
  write(`${tasks} runs, model waits ${waitMs} ms`);
  write(`1 worker:  ${one.toFixed(2)} runs/s`);
  write(`${workers} workers: ${many.toFixed(2)} runs/s, ${(many / one).toFixed(2)} times as many`);
} finally {
  await model.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs per second of some workers. */
async function rate(count: number): Promise<number> {
  const out = join(folder, `out-${count}`);
  const queue = ["--queue", postgres?.url ?? ""];
  const running = Array.from({ length: count }, (_, index) =>
    start(["eval", "work", "--concurrency", "1", ...queue], `home-${count}-${index}`),
  );
  // All workers are ready before the first run exists.
  await sleep(8000);
  const run = ["eval", "run", "--benchmark", "math", "--graphs", "base", "--limit", String(tasks)];
  const made = start([...run, "--models", "openai:waiting", ...queue, "--out", out], "home");
  const [code] = await made.ended;
  for (const worker of running) worker.child.kill("SIGTERM");
  await Promise.all(running.map(({ ended }) => ended));
  const records = readLines<RunRecord>(join(out, "runs.jsonl"));
  if (code !== 0 || records.length !== tasks)
    throw new Error(`${records.length} runs, code ${code}`);
  const begun = Math.min(...records.map(({ startedAt }) => Date.parse(startedAt)));
  const over = Math.max(...records.map(({ endedAt }) => Date.parse(endedAt)));
  return records.length / ((over - begun) / 1000);
}

function start(argv: string[], home: string) {
  const child = spawn(process.execPath, [COMMAND, ...argv], {
    env: {
      ...process.env,
      OPENAI_API_KEY: "none",
      OPENAI_BASE_URL: model.url,
      TULIPGRAPH_HOME: join(folder, home),
    },
    stdio: ["ignore", "ignore", "inherit"],
  });
  // Nothing stays behind if this process is interrupted.
  process.once("exit", () => child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") as Promise<[number | null]> };
}
