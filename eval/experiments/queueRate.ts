/**
 * How much more four workers make than one, through a queue: runs whose model waits half a second.
 *
 *   npx tsx eval/experiments/queueRate.ts [--tasks N] [--wait MS] [--workers N]
 *
 * Starts a Postgres of its own (Debian's package), a chat endpoint on loopback and the workers, each a process that
 * makes one run at a time. The rate is that of the runs: from the start of the first to the end of the last one, by
 * the workers' own times.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { startChatEndpoint } from "../../tests/fakes/chatEndpoint.js";
import { startPostgres } from "../../tests/postgresServer.js";
import type { RunRecord } from "../runs/runRecord.js";

const { values } = parseArgs({
  options: {
    tasks: { type: "string", default: "60" },
    wait: { type: "string", default: "500" },
    workers: { type: "string", default: "4" },
  },
});
const tasks = Number(values.tasks);
const waitMs = Number(values.wait);
const workers = Number(values.workers);

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
  process.stdout.write(
    `${tasks} runs, model waits ${waitMs} ms\n` +
      `1 worker:  ${one.toFixed(2)} runs/s\n` +
      `${workers} workers: ${many.toFixed(2)} runs/s, ${(many / one).toFixed(2)} times as many\n`,
  );
} finally {
  await model.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** Runs a second of so many workers. */
async function rate(count: number): Promise<number> {
  const out = join(folder, `out-${count}`);
  const queue = ["--queue", postgres?.url ?? ""];
  const running = Array.from({ length: count }, (_, index) =>
    start(["eval", "work", "--concurrency", "1", ...queue], `home-${count}-${index}`),
  );
  // All of them are at work before the first run is there.
  await sleep(8000);
  const run = ["eval", "run", "--benchmark", "math", "--graphs", "base", "--limit", String(tasks)];
  const made = start([...run, "--models", "openai:waiting", ...queue, "--out", out], "home");
  const [code] = await made.ended;
  for (const worker of running) worker.child.kill("SIGTERM");
  await Promise.all(running.map(({ ended }) => ended));
  const lines = readFileSync(join(out, "runs.jsonl"), "utf8").trim().split("\n");
  const records = lines.map((line) => JSON.parse(line) as RunRecord);
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
  // Should this end before its time, nothing stays behind.
  process.once("exit", () => child.kill("SIGKILL"));
  return { child, ended: once(child, "exit") as Promise<[number | null]> };
}
