import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Time for a server to answer, and to end (ms). */
const PATIENCE_MS = 40_000;

/** A process that has started, or a connection that it wanted to make to another machine. */
interface Seen {
  pid: number;
  program: string;
  host?: string;
}

export interface LangGraphServer {
  url: string;
  process: ChildProcess;
  /** All that its processes have printed. */
  output: () => string;
  seen: () => Seen[];
  /** Ends all of its processes and removes what it has stored. */
  stop: () => Promise<void>;
}

/**
 * Starts a program that serves the project's graphs, and waits for its first answer. It gets no keys,
 * no network but this machine's own, and a place of its own for what the server stores.
 *
 * @param options.command the program and its arguments; the server's own options are added
 */
export async function startServer(options: {
  command: readonly [string, ...string[]];
  env?: NodeJS.ProcessEnv;
}): Promise<LangGraphServer> {
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-server-"));
  const port = await freePort();
  const [program, ...args] = options.command;
  const served = ["--no-browser", "--host", "127.0.0.1", "--port", String(port)];
  const server = spawn(program, [...args, ...served, "--config", configIn(folder)], {
    cwd: ROOT,
    env: { ...bareEnvironment(folder), ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [server.stdout, server.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (output += text));
  }
  const started: LangGraphServer = {
    url: `http://127.0.0.1:${port}`,
    process: server,
    output: () => output,
    seen: () => readSeen(folder),
    stop: async () => {
      await end(started);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Should the tests themselves be ended, nothing stays behind.
  process.once("exit", () => seenPids(started).forEach((pid) => signal(pid, "SIGKILL")));
  await answering(started);
  return started;
}

/** Whether a process is still there. */
export function isAlive(pid: number): boolean {
  return signal(pid, 0);
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

function bareEnvironment(folder: string): NodeJS.ProcessEnv {
  const { PATH, HOME, TULIPGRAPH_HOME } = process.env;
  const watched = new URL("watchedProcess.mjs", import.meta.url).href;
  const watch = { NODE_OPTIONS: `--import=${watched}`, WATCH_FILE: seenFile(folder) };
  return { PATH, HOME, TULIPGRAPH_HOME, LANGGRAPH_CLI_NO_ANALYTICS: "1", ...watch };
}

function seenFile(folder: string): string {
  return join(folder, "seen.jsonl");
}

function readSeen(folder: string): Seen[] {
  const file = seenFile(folder);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Seen);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((done) => probe.listen(0, "127.0.0.1", done));
  const address = probe.address();
  await new Promise((done) => probe.close(done));
  if (address === null || typeof address === "string") throw new Error("no port is free");
  return address.port;
}

async function answering(server: LangGraphServer): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (Date.now() < deadline && server.process.exitCode === null) {
    const answer = await fetch(`${server.url}/ok`).catch(() => undefined);
    if (answer?.ok) return;
    await sleep(100);
  }
  await server.stop();
  throw new Error(`the server did not start:\n${server.output()}`);
}

async function end(server: LangGraphServer): Promise<void> {
  server.process.kill("SIGTERM");
  const deadline = Date.now() + PATIENCE_MS;
  while (seenPids(server).some(isAlive)) {
    if (Date.now() > deadline) seenPids(server).forEach((pid) => signal(pid, "SIGKILL"));
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
