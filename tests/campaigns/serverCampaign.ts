import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import pMap from "p-map";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import type { GraphState } from "../../state/state.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { answersTo, fileOf, linesOf, nextCalls, requestOf, threadIn, writeTools } from "./lines.js";

/** Longest start of a server, in milliseconds. */
const STARTING_MS = 120_000;

/** Longest time for runs after the last disturbance, in milliseconds. */
const ENDING_MS = 180_000;

/** The messages of a run: reads and writes, of which some are made at once. */
export const STEPS: readonly string[][] = [["one"], ["read", "two"], ["three", "four"]];

/** The settings of a run, besides its model. */
export const LINES = { library: "lines", embeddings: "local:sentence-encoder" } as const;

/** Requests at the same time. */
const AT_ONCE = 8;

/** Something that happens to servers, or to what they depend on, while they work. */
export type Disturbance = (options: {
  servers: Running[];
  /** Starts a server in the place of one that has ended. */
  serve: (place: number) => Promise<Running>;
}) => Promise<void>;

/** The lease of the servers' runs, in milliseconds. */
export const LEASE_MS = 2_000;

/** The result of a campaign. */
export interface Found {
  runs: number;
  /** How often something happened. */
  disturbances: number;
  writes: number;
  /** Lines that are twice in a file. */
  doubled: number;
  /** Writes that succeeded by their call, but whose line is missing. */
  lost: number;
  /** Writes that were interrupted, whose run asked whether they were made. */
  asked: number;
  /** Runs that one process took over from another. */
  takenOver: number;
  /** Runs that did not end. */
  noEnd: number;
  /** The errors of runs and requests that ended with one, and of servers that ended by themselves. */
  errors: string[];
}

/**
 * Makes runs that write lines on several servers of one database, while something happens to the servers.
 *
 * @param options.program the command line, with the arguments that start it
 * @param options.folder for tools, what the runs write and, unless there is a home, data
 * @param options.disturb what happens, so many times; by default, a server is killed and another one started
 * @param options.pauseMs between two disturbances, at the mean
 * @param options.environment of the server in a place, besides what all have
 */
export async function serverCampaign(
  options: ServerOptions & {
    runs: number;
    disturbances: number;
    disturb?: Disturbance;
    pauseMs: number;
  },
): Promise<Found> {
  const { folder, disturb = killOne } = options;
  return await withServers({ ...options, steps: STEPS }, async ({ servers, serve }) => {
    const threads = Array.from({ length: options.runs }, () => randomUUID());
    await disturbWhileCreating({ ...options, disturb, servers, serve, threads });
    const asked = await untilIdle(servers, threads, folder);
    const counts = await pMap(threads, (thread) => look(servers, folder, thread), {
      concurrency: AT_ONCE,
    });
    const { errors, ...found } = sumOf(counts);
    const all = [...errors, ...servers.flatMap(failuresOf)];
    return { ...found, errors: all, asked, disturbances: options.disturbances };
  });
}

/** Servers of one database, and what their runs do. */
export interface ServerOptions {
  program: readonly string[];
  folder: string;
  home?: string;
  database?: string;
  servers: number;
  delayMs: number;
  environment?: (place: number) => NodeJS.ProcessEnv;
  /** The command that starts a program in a place; by default Node itself. */
  launch?: (place: number) => readonly string[];
  /** Arguments of the server in a place. */
  argv?: (place: number) => readonly string[];
  /** Told the port of the model before any server starts. */
  onModel?: (port: number) => Promise<void>;
}

/** Starts servers whose runs write lines, and ends them when the work is done. */
export async function withServers<Result>(
  options: ServerOptions & {
    /** The messages of a run; see `nextCalls`. */
    steps: readonly string[][];
  },
  work: (parts: {
    servers: Running[];
    serve: (place: number) => Promise<Running>;
    /** Starts the command line as another user of the database. */
    start: (argv: readonly string[]) => Program;
  }) => Promise<Result>,
): Promise<Result> {
  const { folder, delayMs, steps, environment = () => ({}), home = `${folder}/home` } = options;
  const model = await startChatEndpoint(async ({ body }) => {
    await sleep(delayMs);
    const file = fileOf({ folder, thread: threadIn(body) });
    return nextCalls({ steps, body, file });
  });
  await options.onModel?.(Number(new URL(model.url).port));
  const env = {
    ...process.env,
    TULIPGRAPH_HOME: home,
    OPENAI_BASE_URL: model.url,
    OPENAI_API_KEY: "none",
    ...(options.database ? { TULIPGRAPH_DATABASE_URL: options.database } : {}),
  };
  let homes = 0;
  // With a database, processes share nothing else: each has its own folder, as if on its own machine.
  const ownHome = () =>
    options.database ? { TULIPGRAPH_HOME: `${folder}/home-${(homes += 1)}` } : {};
  const start = (argv: readonly string[], own: NodeJS.ProcessEnv = {}, place?: number) => {
    const launch = place === undefined ? undefined : options.launch?.(place);
    const command = [...(launch ?? []), process.execPath, ...options.program, ...argv];
    return startProgram(command, { ...env, ...ownHome(), ...own });
  };
  const tools = start([
    "tools",
    "import",
    writeTools(folder, { pauseMs: 10 }),
    "--library",
    LINES.library,
  ]);
  const [code] = (await once(tools.process, "exit")) as [number | null];
  if (code !== 0) throw new Error(`the tools cannot be imported: ${tools.output()}`);
  const lease = ["--lease-seconds", String(LEASE_MS / 1_000)];
  const serve = async (place: number) => {
    const argv = ["serve", ...lease, ...(options.argv?.(place) ?? ["--port", "0"])];
    return await startServer(() => start(argv, environment(place), place));
  };
  const places = Array.from({ length: options.servers }, (_, place) => place);
  const servers = await Promise.all(places.map(serve));
  try {
    return await work({ servers, serve, start });
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

export interface Program {
  process: ChildProcess;
  output: () => string;
}

/** A server that listens. */
export interface Running extends Program {
  client: Client;
}

function startProgram([file = "", ...argv]: readonly string[], env: NodeJS.ProcessEnv): Program {
  const child = spawn(file, argv, {
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
      const client = new Client({ apiUrl, timeoutMs: 10_000, callerOptions: { maxRetries: 0 } });
      return { ...program, client };
    }
    await sleep(50);
  }
  throw new Error(`a server did not start: ${program.output()}`);
}

function failuresOf({ process: { exitCode, signalCode }, output }: Running): string[] {
  const failed = output().match(/.*"event":"request_failed".*/g) ?? [];
  const end = exitCode ?? signalCode;
  return end === null ? failed : [...failed, `a server has ended (${end}): ${output()}`];
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

/** Creates a run once, even if the server is gone before it answers. */
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

/** Kills a server and starts another one in its place. */
export const killOne: Disturbance = async ({ servers, serve }) => {
  const place = Math.floor(Math.random() * servers.length);
  servers[place]?.process.kill("SIGKILL");
  servers[place] = await serve(place);
};

/** Creates some of the runs before each disturbance, so that servers are disturbed while they work. */
async function disturbWhileCreating(options: {
  servers: Running[];
  serve: (place: number) => Promise<Running>;
  disturbances: number;
  disturb: Disturbance;
  pauseMs: number;
  threads: readonly string[];
}): Promise<void> {
  const { servers, serve, disturbances, disturb, pauseMs, threads } = options;
  const share = Math.ceil(threads.length / disturbances);
  const left = [...threads];
  const creating: Promise<void>[] = [];
  const create = (some: string[]) =>
    creating.push(...some.map((thread) => createRun(servers, thread)));
  for (let count = 0; count < disturbances; count++) {
    create(left.splice(0, share));
    await sleep(Math.random() * 2 * pauseMs);
    await disturb({ servers, serve });
  }
  // All of them, if nothing is to happen.
  create(left);
  await Promise.all(creating);
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

type Count = Omit<Found, "runs" | "disturbances" | "asked">;

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

function sumOf(counts: readonly Count[]): Omit<Found, "disturbances" | "asked"> {
  const sum = (key: Exclude<keyof Count, "errors">) =>
    counts.reduce((total, count) => total + count[key], 0);
  return {
    runs: counts.length,
    writes: sum("writes"),
    doubled: sum("doubled"),
    lost: sum("lost"),
    takenOver: sum("takenOver"),
    noEnd: sum("noEnd"),
    errors: counts.flatMap(({ errors }) => errors),
  };
}
