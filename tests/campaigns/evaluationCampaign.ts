import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { RunRecord } from "../../eval/runs/runRecord.js";
import { halt } from "./disturbances.js";
import { fileOf, linesOf, requestOf } from "./lines.js";
import { LINES, type ServerOptions, killOne, withServers } from "./serverCampaign.js";

/** One write: two replies a run. */
const STEPS = [["one"]];

/** What an evaluation has left. */
export interface Evaluated {
  /** Tasks with a result. */
  records: number;
  /** Tasks with more than one. */
  twice: number;
  /** Attempts whose write was interrupted, which another attempt has replaced. */
  lostAttempts: number;
  /** Lines that are twice in a file although each attempt writes one. */
  writtenTwice: number;
  /** From the start of the evaluation to its end, with kills and restarts. */
  seconds: number;
  /** That time as a multiple of what the replies of the model alone take. */
  ofIdeal: number;
}

/**
 * Evaluates on several servers of one database, while servers and the evaluation itself are killed in turns, and one server
 * is halted.
 */
export async function evaluationCampaign(
  options: Omit<ServerOptions, "argv"> & {
    tasks: number;
    /** Runs at a time of each server. */
    places: number;
    kills: number;
  },
): Promise<Evaluated> {
  const { folder, tasks, servers: count, places, delayMs, kills } = options;
  const ports = await Promise.all(Array.from({ length: count }, freePort));
  const argv = (place: number) => ["--port", `${ports[place]}`, "--concurrency", `${places}`];
  const parts = { ...options, argv, steps: STEPS };
  return await withServers(parts, async ({ servers, serve, start }) => {
    const threads = Array.from({ length: tasks }, () => randomUUID());
    const lines = threads.map((id) =>
      JSON.stringify({ id, query: requestOf(id), tools: ["write_line"] }),
    );
    const [file, out] = [join(folder, "tasks.jsonl"), join(folder, "out")];
    writeFileSync(file, lines.map((line) => `${line}\n`).join(""));
    const urls = ports.map((port) => `http://127.0.0.1:${port}`).join();
    const command = ["eval", "run", "--library", LINES.library, "--tasks", file, "--out", out];
    const how = ["--graphs", "naive_tool", "--models", "openai:double", "--yes"];
    const where = ["--server", urls, "--concurrency", `${count * places}`];
    const evaluate = () => start([...command, ...how, ...where]);
    const results = join(out, "runs.jsonl");
    const since = performance.now();
    let client = evaluate();
    const disturbances = kills + 1;
    for (let number = 1; number <= disturbances; number += 1) {
      while (linesOf(results).length < (tasks * number) / (disturbances + 1)) {
        if (client.process.exitCode !== null) throw new Error(client.output());
        await sleep(500);
      }
      if (number === disturbances) await halt({ servers, serve });
      else if (number % 2 === 1) await killOne({ servers, serve });
      else {
        client.process.kill("SIGKILL");
        client = evaluate();
      }
    }
    if (client.process.exitCode === null) await once(client.process, "exit");
    const seconds = (performance.now() - since) / 1_000;
    const ideal = (tasks * (STEPS.length + 1) * delayMs) / 1_000 / (count * places);
    const times = { seconds: Math.round(seconds), ofIdeal: Number((seconds / ideal).toFixed(2)) };
    return { ...countsOf(results, folder, threads), ...times };
  });
}

function countsOf(results: string, folder: string, threads: readonly string[]) {
  const records = linesOf(results).map((line) => JSON.parse(line) as RunRecord);
  const ended = records.filter(({ error }) => error === undefined);
  const count = new Set(ended.map(({ id }) => id)).size;
  const attempts = (thread: string) => records.filter(({ task }) => task === thread).length;
  const written = (thread: string) => linesOf(fileOf({ folder, thread })).length;
  return {
    records: count,
    twice: ended.length - count,
    lostAttempts: records.length - ended.length,
    writtenTwice: threads.filter((thread) => written(thread) > attempts(thread)).length,
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
