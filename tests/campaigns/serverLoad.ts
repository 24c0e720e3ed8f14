/**
 * How many runs a second servers finish, how long callers wait, and what a run takes of the processor and the database,
 * with a model that takes 100 ms a reply: `tulipgraph serve` on SQLite and on Postgres, `langgraphjs dev`, and the graph
 * called in this process.
 *
 *   npx tsx tests/campaigns/serverLoad.ts --callers 1,16,64,256 --runs 512
 *   npx tsx tests/campaigns/serverLoad.ts --callers 64 --root .,OTHER_CHECKOUT --processes 1,2 --rounds 3
 *   npx tsx tests/campaigns/serverLoad.ts --callers 64 --memoryRuns 10000 --streams 1000 --servers sqlite,postgres
 *   npx tsx tests/campaigns/serverLoad.ts --callers 64 --share 0.15 --processes 1,2,4 --rounds 3 --servers sqlite,postgres
 *
 * Each run is a stateless run of the graph `base` with one model call. The servers are compiled (`npm run build` makes
 * dist) and make as many runs at once as there are callers, whose connections are open before; in a burst, each caller
 * opens one. Servers of several checkouts, or with several processes, are measured in turn. With a share, each process of
 * a server has no more than that of a core, which shows on a machine of few cores how servers would use many. The
 * experiment starts its own Postgres (Debian's package) unless `--database` names one; without any, Postgres is left out.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pMap from "p-map";
import { Client } from "pg";
import { openGraph } from "../../graphs/openGraph.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import {
  type LangGraphServer,
  seenPids,
  startServer,
  usedMegabytes,
} from "../fakes/langgraphServer.js";
import { startPostgres } from "../postgresServer.js";
import { closeWorkspaces } from "../../home/workspace.js";
import { quantile } from "../../eval/statistics/descriptive.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";
import { hasShares, holdToShare } from "./shares.js";
import { callerOf, heldMegabytes, openStreams, processorMs } from "./serverCalls.js";

const {
  callers,
  runs,
  delay,
  memoryRuns,
  streams,
  rounds,
  processes,
  share,
  servers,
  database,
  root,
} = optionsOf({
  callers: "1,16,64,256",
  /** Runs for each number of callers, but at most 32 for each caller. */
  runs: 512,
  /** Milliseconds that each reply of the model takes. */
  delay: 100,
  /** Runs after which the memory of a server is read; 0 for none. */
  memoryRuns: 0,
  /** Idle streams whose memory is read; 0 for none. */
  streams: 0,
  /** How often each is measured. */
  rounds: 1,
  processes: "1",
  /** The most of a core that each process of a server may use; 0 for no limit. */
  share: 0,
  servers: "sqlite,postgres,dev",
  database: "",
  root: ".",
});

const LEVELS = callers.split(",").map(Number);

/** Runs after which the code of a process is compiled. */
const WARM_RUNS = 300;

const RUN = { input: { request: "Say something." }, context: { model: "openai:double" } };

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-load-"));
const endpoint = await startChatEndpoint(async () => {
  await sleep(delay);
  return { content: "Something." };
});
Object.assign(process.env, { OPENAI_BASE_URL: endpoint.url, OPENAI_API_KEY: "none" });

/** Something that makes runs. */
interface Measured {
  name: string;
  /** @param isNew whether on a connection of its own */
  run: (isNew?: boolean) => Promise<void>;
  /** What its processes have taken of the processor until now, in milliseconds. */
  cpu: () => number;
  /** The statements that its database has executed until now. */
  statements: () => Promise<number>;
}

try {
  if (share > 0 && !hasShares) write("Shares of a core need Linux and root: left out");
  writeHead(
    "server,callers,runs a second,p50 ms,p95 ms,p99 ms,failed,CPU ms,statements".split(","),
  );
  await measureInProcess();
  for (const kind of servers.split(",")) await measureServers(kind);
} finally {
  await endpoint.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The graph itself, with checkpoints in SQLite, one run after the other; what the model takes counts, too. */
async function measureInProcess(): Promise<void> {
  process.env["TULIPGRAPH_HOME"] = join(folder, "here");
  const graph = await openGraph("base");
  let number = 0;
  const run = async () => {
    const configurable = { thread_id: `here-${(number += 1)}` };
    await graph.invoke(RUN.input, { configurable, context: RUN.context, durability: "sync" });
  };
  await run();
  const name = "the graph in this process";
  const here = { name, run, cpu: () => processorMs([process.pid]), statements: async () => 0 };
  await measure([here], 1);
  await closeWorkspaces();
}

async function measureServers(kind: string): Promise<void> {
  const counting = ["shared_preload_libraries=pg_stat_statements"];
  const own = kind === "postgres" && database === "" ? await startPostgres(counting) : undefined;
  const url = database || own?.url;
  if (kind === "postgres" && url === undefined) return write("Postgres is not installed: left out");
  const roots = kind === "dev" ? ["."] : root.split(",");
  const wanted = roots.flatMap((each) => processes.split(",").map((count) => ({ each, count })));
  const started = await pMap(wanted, ({ each, count }) => start(kind, each, count, url), {
    concurrency: 1,
  });
  try {
    for (const level of LEVELS) {
      await measure(started, level);
      await measure(started, level, true);
    }
    for (const server of started) await measureMemory(server);
  } finally {
    for (const { stop } of started) await stop();
    await own?.stop();
  }
}

async function start(kind: string, checkout: string, count: string, postgres = "") {
  const most = String(Math.max(...LEVELS));
  const home = mkdtempSync(join(folder, `${kind}-`));
  const { url = "", statements = async () => 0 } =
    kind === "postgres" ? await newDatabase(postgres, basename(home)) : {};
  const env = {
    OPENAI_BASE_URL: endpoint.url,
    OPENAI_API_KEY: "none",
    TULIPGRAPH_HOME: home,
    TULIPGRAPH_DATABASE_URL: url,
  };
  const dev = ["node_modules/.bin/langgraphjs", "dev", "--no-reload", "-n", most] as const;
  const several = count === "1" ? [] : ["--processes", count];
  const options = ["serve", "--concurrency", most, ...several];
  const program = join(resolve(checkout), "bin/tulipgraph.mjs");
  const server = await startServer(
    kind === "dev"
      ? { command: [...dev], env }
      : { command: [process.execPath, program, ...options], env, isOurs: true },
  );
  const run = callerOf(server.url, { assistant_id: "base", ...RUN });
  const release = share > 0 && hasShares ? await held(server, run) : undefined;
  return {
    name: [kind, ...(root === "." ? [] : [basename(resolve(checkout))]), ...several].join(" "),
    run,
    cpu: () => processorMs(seenPids(server)),
    statements,
    memory: () => heldMegabytes(seenPids(server)),
    used: () => usedMegabytes(server),
    url: server.url,
    stop: async () => {
      await server.stop();
      await release?.();
    },
  };
}

/** Holds a server's processes to their share, when their code is compiled: that would take them most of it. */
async function held(server: LangGraphServer, run: Measured["run"]): Promise<() => Promise<void>> {
  const pids = seenPids(server);
  await repeated(run, pids.length * WARM_RUNS, Math.max(...LEVELS));
  return holdToShare(pids, share);
}

/** A database that counts its statements if its server can. */
async function newDatabase(server: string, home: string) {
  const name = home.toLowerCase().replaceAll("-", "_");
  const client = new Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  const make = client.query("CREATE EXTENSION IF NOT EXISTS pg_stat_statements");
  const counts = await make.then(
    () => true,
    () => false,
  );
  const url = new URL(server);
  url.pathname = `/${name}`;
  const count = `SELECT sum(calls) FROM pg_stat_statements s JOIN pg_database d ON d.oid = s.dbid WHERE datname = $1`;
  await client.end();
  return {
    url: url.href,
    statements: async () => {
      if (!counts) return 0;
      const asking = new Client({ connectionString: server });
      await asking.connect();
      const { rows } = await asking.query<{ sum: string }>(count, [name]);
      await asking.end();
      return Number(rows[0]?.sum);
    },
  };
}

/** What was measured of a server in all rounds. */
interface Tally {
  times: number[];
  failed: number;
  seconds: number;
  cpu: number;
  statements: number;
}

/** Measures servers in turn. In a burst, each caller makes one run, on a new connection. */
async function measure(all: readonly Measured[], level: number, isBurst = false): Promise<void> {
  const count = isBurst ? level : Math.min(runs, 32 * level);
  const tallies = all.map((): Tally => ({
    times: [],
    failed: 0,
    seconds: 0,
    cpu: 0,
    statements: 0,
  }));
  for (let round = 0; round < rounds; round++) {
    for (const [at, server] of all.entries()) {
      const tally = tallies[at];
      if (!isBurst) await repeated(server.run, level, level);
      if (tally) await add(tally, server, () => repeated(server.run, count, level, isBurst));
    }
  }
  for (const [at, { name }] of all.entries()) {
    const { times = [], failed, seconds = 1, cpu = 0, statements = 0 } = tallies[at] ?? {};
    const quantiles = [0.5, 0.95, 0.99].map((share) => Math.round(quantile(times, share)));
    const each = [cpu, statements].map((whole) => (whole / times.length).toFixed(1));
    const shown = isBurst ? `${name}, a burst` : name;
    writeRow([shown, level, (times.length / seconds).toFixed(1), ...quantiles, failed, ...each]);
  }
}

async function add(
  tally: Tally,
  { cpu, statements }: Measured,
  work: () => Promise<{ times: number[]; failed: number }>,
): Promise<void> {
  const before = { cpu: cpu(), statements: await statements(), at: performance.now() };
  const { times, failed } = await work();
  tally.seconds += (performance.now() - before.at) / 1_000;
  tally.cpu += cpu() - before.cpu;
  tally.statements += (await statements()) - before.statements;
  tally.times.push(...times);
  tally.failed += failed;
}

async function repeated(run: Measured["run"], count: number, level: number, isNew = false) {
  const times: number[] = [];
  let failed = 0;
  const timed = async () => {
    const begun = performance.now();
    await run(isNew).catch(() => (failed += 1));
    times.push(performance.now() - begun);
  };
  await pMap(Array.from({ length: count }), timed, { concurrency: level });
  return { times, failed };
}

/** Memory of a server's processes after each tenth of the runs, and with idle streams. */
async function measureMemory(server: Awaited<ReturnType<typeof start>>): Promise<void> {
  if (memoryRuns > 0) await measureGrowth(server);
  if (streams > 0) await measureStreams(server);
}

async function measureGrowth(server: Awaited<ReturnType<typeof start>>): Promise<void> {
  const tenths: string[] = [];
  for (let tenth = 0; tenth < 10; tenth++) {
    await repeated(server.run, memoryRuns / 10, Math.max(...LEVELS));
    tenths.push(`${server.memory()} (${await server.used()})`);
  }
  const counted = "MB (in use, without garbage)";
  write(`${server.name}: ${tenths.join(", ")} ${counted} after each tenth of ${memoryRuns} runs`);
}

async function measureStreams({ name, memory, cpu, url }: Awaited<ReturnType<typeof start>>) {
  const before = memory();
  const close = await openStreams(url, { assistant_id: "base", ...RUN }, streams);
  const busy = cpu();
  await sleep(10_000);
  const share = ((cpu() - busy) / 100).toFixed(1);
  write(`${name}: ${memory() - before} MB more with ${streams} idle streams, ${share} % of a core`);
  close();
}
