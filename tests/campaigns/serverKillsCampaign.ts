import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import pMap from "p-map";
import type { ReviewRequest } from "../../nodes/shared/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { answersTo, fileOf, linesOf, nextCalls, requestOf, threadIn, writeTools } from "./lines.js";

/** Longest start of a server, in milliseconds. */
const STARTING_MS = 120_000;

/** Longest time for runs after the last kill, in milliseconds. */
const ENDING_MS = 180_000;

/** The messages of a run: reads and writes, of which some are made at once. */
const STEPS: readonly string[][] = [["one"], ["read", "two"], ["three", "four"]];

/** The settings of a run, besides its model. */
const LINES = { library: "lines", embeddings: "local:sentence-encoder" } as const;

/** Requests at the same time. */
const AT_ONCE = 8;

/** The result of a campaign. */
export interface Found {
  runs: number;
  kills: number;
  writes: number;
  /** Lines that are twice in a file. */
  doubled: number;
  /** Writes that succeeded by their call, but whose line is missing. */
  lost: number;
  /** Writes interrupted by a kill, whose run asked whether they were made. */
  asked: number;
  /** Runs that a process took over from one that was killed. */
  takenOver: number;
  /** Runs that did not end. */
  noEnd: number;
  /** The errors of runs that ended with one. */
  errors: string[];
}

/**
 * Makes runs that write lines on several servers of one database, which are killed at random and restarted.
 *
 * @param options.program the command line, with the arguments that start it
 * @param options.folder for data, tools and what the runs write
 * @param options.pauseMs between two kills
 */
export async function killCampaign(options: {
  program: readonly string[];
  folder: string;
  database?: string;
  servers: number;
  runs: number;
  kills: number;
  pauseMs: number;
  delayMs: number;
}): Promise<Found> {
  const { folder, delayMs } = options;
  const model = await startChatEndpoint(async ({ body }) => {
    await sleep(delayMs);
    const file = fileOf({ folder, thread: threadIn(body) });
    return nextCalls({ steps: STEPS, body, file });
  });
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: `${folder}/home`,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "none",
    ...(options.database ? { TULIPGRAPH_DATABASE_URL: options.database } : {}),
  };
  let homes = 0;
  // With a database, processes share nothing else: each has its own folder, as if on its own machine.
  const ownHome = () =>
    options.database ? { TULIPGRAPH_HOME: `${folder}/home-${(homes += 1)}` } : {};
  const start = (argv: readonly string[]) =>
    startProgram(options.program, argv, { ...env, ...ownHome() });
  const tools = start([
    "tools",
    "import",
    writeTools(folder, { pauseMs: 10 }),
    "--library",
    LINES.library,
  ]);
  const [code] = (await once(tools.process, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the tools cannot be imported: ${tools.output()}`);
  const serve = () => startServer(() => start(["serve", "--port", "0", "--lease-seconds", "2"]));
  const servers = await Promise.all(Array.from({ length: options.servers }, serve));
  try {
    const threads = Array.from({ length: options.runs }, () => randomUUID());
    const kills = await killWhileCreating({ ...options, servers, serve, threads });
    const asked = await untilIdle(servers, threads, folder);
    const counts = await pMap(threads, (thread) => look(servers, folder, thread), {
      concurrency: AT_ONCE,
    });
    return { ...sumOf(counts, kills), asked };
  } finally {
    for (const server of servers) server.process.kill("SIGKILL");
    await model.close();
  }
}

/** Processes that must not outlive this one. */
const started = new Set<ChildProcess>();

process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

interface Program {
  process: ChildProcess;
  output: () => string;
}

interface Running extends Program {
  client: Client;
}

function startProgram(
  program: readonly string[],
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
): Program {
  const child = spawn(process.execPath, [...program, ...argv], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (part: string) => (output += part));
  }
  started.add(child);
  child.once("exit", () => started.delete(child));
  return { process: child, output: () => output };
}

async function startServer(start: () => Program): Promise<Running> {
  const program = start();
  const giveUpAt = Date.now() + STARTING_MS;
  while (Date.now() < giveUpAt && program.process.exitCode === null) {
    const [, apiUrl] = /Server running at (http\S+)/.exec(program.output()) ?? [];
    if (apiUrl) {
      const client = new Client({ apiUrl, callerOptions: { maxRetries: 0 } });
      return { ...program, client };
    }
    await sleep(50);
  }
  throw new Error(`a server did not start: ${program.output()}`);
}

/** Asks any server, and another one if that is gone. */
async function ask<Answer>(
  servers: readonly Running[],
  question: (client: Client) => Promise<Answer>,
): Promise<Answer> {
  const giveUpAt = Date.now() + STARTING_MS;
  while (true) {
    const server = servers[Math.floor(Math.random() * servers.length)];
    try {
      if (server === undefined) throw new Error("there are no servers");
      return await question(server.client);
    } catch (error) {
      if (!isGone(error) || Date.now() > giveUpAt) throw error;
    }
    await sleep(100);
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && !/HTTP 4\d\d/.test(error.message);
}

/** Creates a run once, even if the server is killed before it answers. */
async function createRun(servers: readonly Running[], thread: string) {
  await ask(servers, (client) =>
    client.threads.create({ threadId: thread, ifExists: "do_nothing" }),
  );
  await ask(servers, async (client) => {
    if ((await client.runs.list(thread)).length > 0) return;
    const input = { request: requestOf(thread) };
    const context = { ...LINES, model: "openai:double" };
    await client.runs.create(thread, "naive_tool", { input, context });
  });
}

/** Creates some of the runs before each kill, so that servers are killed while they work. */
async function killWhileCreating(options: {
  servers: Running[];
  serve: () => Promise<Running>;
  kills: number;
  pauseMs: number;
  threads: readonly string[];
}): Promise<number> {
  const { servers, serve, kills, pauseMs, threads } = options;
  const share = Math.ceil(threads.length / kills);
  const create = async (thread: string) => await createRun(servers, thread);
  const creating: Promise<void>[] = [];
  for (let kill = 0; kill < kills; kill++) {
    const next = threads.slice(kill * share, (kill + 1) * share);
    creating.push(...next.map(create));
    await sleep(Math.random() * 2 * pauseMs);
    const index = Math.floor(Math.random() * servers.length);
    servers[index]?.process.kill("SIGKILL");
    servers[index] = await serve();
  }
  await Promise.all(creating);
  return kills;
}

/**
 * Waits until all runs have ended, and answers what they ask by looking into their files.
 *
 * @returns how many writes they asked about
 */
async function untilIdle(
  servers: readonly Running[],
  threads: readonly string[],
  folder: string,
): Promise<number> {
  const giveUpAt = Date.now() + ENDING_MS;
  const open = new Set(threads);
  let asked = 0;
  while (open.size > 0 && Date.now() < giveUpAt) {
    for (const thread of open) {
      const runs = await ask(servers, (client) => client.runs.list(thread));
      const isOpen = runs.some(({ status }) => status === "pending" || status === "running");
      if (isOpen) break;
      const answered = await answer(servers, folder, thread);
      asked += answered;
      if (answered === 0) open.delete(thread);
    }
    await sleep(100);
  }
  return asked;
}

/** Answers what a run asks, and returns how many writes it asked about. */
async function answer(
  servers: readonly Running[],
  folder: string,
  thread: string,
): Promise<number> {
  const { tasks } = await ask(servers, (client) => client.threads.getState(thread));
  const [asked] = tasks.flatMap(({ interrupts }) => interrupts.map(({ value }) => value));
  const { actionRequests = [] } = (asked ?? {}) as Partial<ReviewRequest>;
  const decisions = actionRequests.map(({ name, args, description = "" }) => {
    const [content] = answersTo(description, fileOf({ folder, thread }));
    return { type: "edit", editedAction: { name, args: { ...args, content } } };
  });
  if (decisions.length === 0) return 0;
  const context = { ...LINES, model: "openai:double" };
  await ask(servers, (client) =>
    client.runs.create(thread, "naive_tool", { command: { resume: { decisions } }, context }),
  );
  return decisions.length;
}

type Count = Omit<Found, "runs" | "kills" | "asked">;

async function look(servers: readonly Running[], folder: string, thread: string): Promise<Count> {
  const [run] = await ask(servers, (client) => client.runs.list(thread));
  const state = await ask(servers, (client) =>
    client.threads.getState<Partial<GraphState>>(thread),
  );
  // A run that has not begun has no values.
  const { calls = [] } = state.values;
  const written = linesOf(fileOf({ folder, thread }));
  const writes = calls.filter(({ tool }) => tool === "write_line");
  const done = writes.filter(({ error }) => error === undefined);
  return {
    writes: written.length,
    doubled: written.length - new Set(written).size,
    lost: done.filter(({ args }) => !written.includes(String(args["line"]))).length,
    takenOver: Number(Object(run).attempts) > 1 ? 1 : 0,
    noEnd: run?.status === "pending" || run?.status === "running" || run === undefined ? 1 : 0,
    errors: run?.status === "error" ? [String(Object(run).error)] : [],
  };
}

function sumOf(counts: readonly Count[], kills: number): Omit<Found, "asked"> {
  const sum = (key: Exclude<keyof Count, "errors">) =>
    counts.reduce((total, count) => total + count[key], 0);
  return {
    runs: counts.length,
    kills,
    writes: sum("writes"),
    doubled: sum("doubled"),
    lost: sum("lost"),
    takenOver: sum("takenOver"),
    noEnd: sum("noEnd"),
    errors: counts.flatMap(({ errors }) => errors),
  };
}
