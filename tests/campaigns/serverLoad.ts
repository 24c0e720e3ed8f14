/**
 * How many runs a second servers finish, and how long callers wait, with a model that takes 100 ms a reply: `tulipgraph
 * serve` on SQLite and on Postgres, `langgraphjs dev`, and the graph called in this process.
 *
 *   npx tsx tests/campaigns/serverLoad.ts --callers 1,16,64,256 --runs 512
 *   npx tsx tests/campaigns/serverLoad.ts --callers 64 --memoryRuns 10000 --servers sqlite,postgres
 *
 * Each run is a stateless run of the graph `base` with one model call. The servers are compiled (`npm run build` makes
 * dist) and make as many runs at once as there are callers. The experiment starts its own Postgres (Debian's package)
 * unless `--database` names one; without any, Postgres is left out. This process serves the model.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import pMap from "p-map";
import { openGraph } from "../../graphs/openGraph.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { type LangGraphServer, startServer } from "../fakes/langgraphServer.js";
import { startPostgres } from "../postgresServer.js";
import { closeWorkspaces } from "../../nodes/workspace/workspace.js";
import { quantile } from "../../eval/statistics/descriptive.js";
import { optionsOf, write } from "./scriptSupport.js";

const { callers, runs, delay, memoryRuns, servers, database, root } = optionsOf({
  callers: "1,16,64,256",
  /** Runs for each number of callers, but at most 32 for each caller. */
  runs: 512,
  /** Milliseconds that each reply of the model takes. */
  delay: 100,
  /** Runs after which the memory of a server is read; 0 for none. */
  memoryRuns: 0,
  servers: "sqlite,postgres,dev",
  database: "",
  root: ".",
});

const LEVELS = callers.split(",").map(Number);

const RUN = { input: { request: "Say something." }, context: { model: "openai:double" } };

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-load-"));
const endpoint = await startChatEndpoint(async () => {
  await sleep(delay);
  return { content: "Something." };
});
Object.assign(process.env, { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "none" });

try {
  write("| server | callers | runs a second | p50 ms | p95 ms | p99 ms | failed |");
  write("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
  await measureInProcess();
  for (const name of servers.split(",")) await measureServer(name);
} finally {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The graph itself, with checkpoints in SQLite, one run after the other. */
async function measureInProcess(): Promise<void> {
  process.env["TULIPGRAPH_HOME"] = join(folder, "here");
  const graph = await openGraph("base");
  let number = 0;
  const run = async () => {
    const configurable = { thread_id: `here-${(number += 1)}` };
    await graph.invoke(RUN.input, { configurable, context: RUN.context, durability: "sync" });
  };
  await run();
  await measure("the graph in this process", 1, run);
  await closeWorkspaces();
}

async function measureServer(name: string): Promise<void> {
  const postgres = name === "postgres" && database === "" ? await startPostgres() : undefined;
  const url = database || postgres?.url;
  if (name === "postgres" && url === undefined) {
    write("Postgres is not installed: left out");
    return;
  }
  const server = await startNamed(name, url);
  try {
    for (const level of LEVELS) await measureLevel(server, level);
    if (memoryRuns > 0 && name !== "dev") await measureMemory(server);
  } finally {
    await server.stop();
    await postgres?.stop();
  }
}

/** A server that is measured. */
interface Measured extends LangGraphServer {
  name: string;
}

async function startNamed(name: string, url?: string): Promise<Measured> {
  const most = String(Math.max(...LEVELS));
  const model = { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "none" };
  const env = { ...model, TULIPGRAPH_HOME: join(folder, name) };
  if (name === "dev") {
    const command = ["node_modules/.bin/langgraphjs", "dev", "--no-reload", "-n", most] as const;
    return { name: "langgraphjs dev", ...(await startServer({ command: [...command], env })) };
  }
  const program = join(resolve(root), "bin/tulipgraph.mjs");
  const started = await startServer({
    command: [process.execPath, program, "serve", "--concurrency", most],
    env: { ...env, ...(name === "postgres" ? { TULIPGRAPH_DATABASE_URL: url } : {}) },
    isOurs: true,
  });
  return { name: `tulipgraph serve (${name})`, ...started };
}

async function measureLevel(server: Measured, level: number) {
  const run = runOn(server, level);
  await run();
  await measure(server.name, level, run);
}

function runOn({ url }: Measured, level: number): () => Promise<void> {
  const callerOptions = { maxConcurrency: level, maxRetries: 0 };
  const client = new Client({ apiUrl: url, callerOptions });
  return async () => {
    await client.runs.wait(null, "base", RUN);
  };
}

async function measure(name: string, level: number, run: () => Promise<void>): Promise<void> {
  const count = Math.min(runs, 32 * level);
  const times: number[] = [];
  let failed = 0;
  const since = performance.now();
  const timed = async () => {
    const begun = performance.now();
    await run().catch(() => (failed += 1));
    times.push(performance.now() - begun);
  };
  await pMap(Array.from({ length: count }), timed, { concurrency: level });
  const rate = (count / (performance.now() - since)) * 1_000;
  const quantiles = [0.5, 0.95, 0.99].map((share) => Math.round(quantile(times, share)));
  write(`| ${[name, level, rate.toFixed(1), ...quantiles, failed].join(" | ")} |`);
}

/** Memory of a server's process after each tenth of the runs. */
async function measureMemory(server: Measured): Promise<void> {
  const level = Math.max(...LEVELS);
  const run = runOn(server, level);
  const tenths: number[] = [];
  for (let tenth = 0; tenth < 10; tenth++) {
    await pMap(Array.from({ length: memoryRuns / 10 }), run, { concurrency: level });
    tenths.push(heldMegabytes(server.process.pid ?? 0));
  }
  write(`${server.name}: ${tenths.join(", ")} MB after each tenth of ${memoryRuns} runs`);
}

/** Resident memory on Linux; 0 elsewhere. */
function heldMegabytes(pid: number): number {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(file, "utf8")) ?? [];
  return Math.round(Number(kilobytes) / 1_024);
}
