import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Time for a server to answer (ms), which takes a busy machine many times as long as an idle one. */
const STARTING_MS = 150_000;

/** Time for a server to end by itself (ms). */
const ENDING_MS = 60_000;

/** A process that has started, a connection that it wanted to make to another machine, or its memory in use (bytes). */
interface Seen {
  pid: number;
  program: string;
  host?: string;
  used?: number;
}

export interface LangGraphServer {
  url: string;
  process: ChildProcess;
  /** Where LangGraph's own server stores threads, every few seconds. */
  stored: string;
  /** All that its processes have printed. */
  output: () => string;
  seen: () => Seen[];
  /** Ends all of its processes at once, as a power cut does. */
  kill: () => void;
  /** Ends all of its processes and removes what it has stored. */
  stop: () => Promise<void>;
}

/**
 * Starts a program that serves the project's graphs, and waits for its first answer. It gets no keys,
 * no network but this machine's own, and a place of its own for what the server stores.
 *
 * @param options.command the program and its arguments; the server's own options are added
 * @param options.stored what LangGraph's own server knows at its start: a copy of what another one has stored
 * @param options.isOurs `tulipgraph serve`, which opens no browser and reads no `langgraph.json`
 */
export async function startServer(options: {
  command: readonly [string, ...string[]];
  env?: NodeJS.ProcessEnv;
  stored?: string;
  isOurs?: boolean;
}): Promise<LangGraphServer> {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-server-"));
  const [program, ...args] = options.command;
  // The system gives it a port: one that is looked for here may be another's by the time it listens.
  const address = ["--host", "127.0.0.1", "--port", "0"];
  const served = options.isOurs
    ? address
    : ["--no-browser", ...address, "--config", configIn(folder)];
  const stored = join(folder, ".langgraph_api");
  if (options.stored) cpSync(options.stored, stored, { recursive: true });
  const watched = watchProcesses(folder);
  const server = spawn(program, [...args, ...served], {
    cwd: ROOT,
    env: { ...bareEnvironment(), ...watched.env, ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const started: LangGraphServer = {
    url: "",
    process: server,
    stored,
    output: () => output,
    seen: watched.seen,
    kill: () => {
      for (const pid of seenPids(started)) signal(pid, "SIGKILL");
    },
    stop: async () => {
      await end(started);
      running.delete(started);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  running.add(started);
  await answering(started);
  return started;
}

const running = new Set<LangGraphServer>();

// Should the tests themselves be ended, nothing stays behind.
process.once("exit", () => {
  for (const pid of [...running].flatMap(seenPids)) signal(pid, "SIGKILL");
});

/** Whether a process is still there; one that has ended is known until its parent takes notice of it. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0) && !hasEnded(pid);
}

/** What Linux says of a process; elsewhere there is always somebody who takes notice. */
function hasEnded(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** What the JavaScript of a server's processes holds without garbage, in megabytes. */
export async function usedMegabytes(server: LangGraphServer): Promise<number> {
  const told = () => server.seen().flatMap(({ used }) => used ?? []);
  const [before, pids] = [told().length, seenPids(server)];
  for (const pid of pids) signal(pid, "SIGUSR2");
  while (told().length < before + pids.length) await sleep(100);
  const sum = told()
    .slice(before)
    .reduce((all, used) => all + used, 0);
  return Math.round(sum / 1_048_576);
}

/** The processes that a server consists of. */
export function seenPids(server: LangGraphServer): number[] {
  return [...new Set(server.seen().map(({ pid }) => pid))];
}

/**
 * The project's configuration for a folder of its own: the server stores threads beside it, and reads
 * `.env` there.
 */
function configIn(folder: string): string {
  const config = JSON.parse(readFileSync(join(ROOT, "langgraph.json"), "utf8")) as {
    graphs: Record<string, string>;
  };
  const place = relative(folder, ROOT);
  const graphs = Object.entries(config.graphs).map(([id, path]) => [id, join(place, path)]);
  const file = join(folder, "langgraph.json");
  writeFileSync(file, JSON.stringify({ ...config, graphs: Object.fromEntries(graphs) }));
  writeFileSync(join(folder, ".gitignore"), ".langgraph_api/\n");
  return file;
}

function bareEnvironment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TULIPGRAPH_HOME } = process.env;
  return { PATH, HOME, TULIPGRAPH_HOME, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
}

/** An environment in which programs of Node note themselves in a file of the folder, and what it has. */
export function watchProcesses(folder: string): {
  env: { NODE_OPTIONS: string; WATCH_FILE: string };
  seen: () => Seen[];
} {
  const file = join(folder, "seen.jsonl");
  const watcher = new URL("watchedProcess.mjs", import.meta.url).href;
  return {
    env: { NODE_OPTIONS: `--import=${watcher}`, WATCH_FILE: file },
    seen: () => readSeen(file),
  };
}

/** Whole lines alone: one that is being written has no end yet. */
function readSeen(file: string): Seen[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Seen);
}

/** Waits until the server has told its port, and answers there. */
async function answering(server: LangGraphServer): Promise<void> {
  const deadline = Date.now() + STARTING_MS;
  const { process: program } = server;
  while (Date.now() < deadline && program.exitCode === null && program.signalCode === null) {
    const [, address] = /Server running at (?:http:\/\/)?(\S+:\d+)\b/.exec(server.output()) ?? [];
    server.url = address ? `http://${address}` : "";
    const answer = address && (await fetch(`${server.url}/ok`).catch(() => undefined));
    if (answer && answer.ok) return;
    await sleep(100);
  }
  await server.stop();
  throw new Error(`the server did not start:\n${server.output()}`);
}

/** A server says where it listens, and goes on to write. */
export async function addressOf(server: ChildProcess): Promise<string> {
  let printed = "";
  server.stderr?.setEncoding("utf8");
  return await new Promise((resolve, reject) => {
    server.stderr?.on("data", (part: string) => {
      printed += part;
      const [url] = /http:\S+(?=\s)/.exec(printed) ?? [];
      if (url !== undefined) resolve(url);
    });
    server.once("exit", () => reject(new Error(`the server has ended: ${printed}`)));
  });
}

async function end(server: LangGraphServer): Promise<void> {
  server.process.kill("SIGTERM");
  const deadline = Date.now() + ENDING_MS;
  while (seenPids(server).some(isAlive)) {
    if (Date.now() > deadline) server.kill();
    await sleep(50);
  }
}

/** False when there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
