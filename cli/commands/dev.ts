import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Command } from "commander";
import type { WebRules } from "../../server/access/webRules.js";
import { RULES_VARIABLE } from "../dev/devGuard.js";
import { collected } from "../options.js";
import { type Address, addressOf, optionOf, requireFree, silence } from "../dev/serverAddress.js";
import { InvalidSetting } from "../../common/errors.js";
import { defaultHome } from "../../workspace/home.js";
import { packageRoot } from "../../storage/packageRoot.js";
import { examples } from "../helpExamples.js";
import { EXIT, type Exit } from "../exit.js";

/** Signals that end this process: Ctrl-C, `kill`, a closed terminal. */
const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The server saves its threads when it ends; after this time (ms) it is killed. */
const SAVING_MS = 10_000;

/** A killed process takes a moment to go (ms), longer on a busy machine. */
const DYING_MS = 5_000;

/** Studio in both regions: a page of LangSmith that connects to a server on the developer's machine. */
const STUDIO_ORIGINS = ["https://smith.langchain.com", "https://eu.smith.langchain.com"];

/** The names that Cloudflare gives to tunnels. */
const TUNNELS = "*.trycloudflare.com";

interface DevOptions {
  origin?: string[];
  allowHost?: string[];
}

/** `tulipgraph dev`: serves the graphs with LangGraph's development server, for Studio. */
export function devCommand(exit: Exit): Command {
  return new Command("dev")
    .description("Serve the graphs for LangGraph Studio, with LangGraph's development server")
    .allowUnknownOption()
    .argument("[options...]", "options of langgraphjs dev, such as --port and --no-browser")
    .option(
      "--origin <origin>",
      "another web page that may use the server, such as http://localhost:3000; may be repeated",
      collected,
    )
    .option(
      "--allow-host <name>",
      "another host name for the server, besides this machine's own; may be repeated",
      collected,
    )
    .addHelpText(
      "after",
      examples([
        "tulipgraph dev",
        "tulipgraph dev --no-browser --port 8123 --origin http://localhost:3000",
      ]),
    )
    .action(async (options: string[], { origin = [], allowHost = [] }: DevOptions) => {
      const { host: address } = addressOf(options);
      const origins = [...STUDIO_ORIGINS, ...studioOf(options), ...origin.map(readOrigin)];
      const tunnels = options.includes("--tunnel") ? [TUNNELS] : [];
      const hosts = [...allowHost.map((name) => name.toLowerCase()), ...tunnels];
      exit(await serve(options, { address, hosts, origins }));
    });
}

/** A self-hosted Studio, if the options name one. */
function studioOf(options: readonly string[]): string[] {
  const url = optionOf(options, "--studio-url");
  return url === undefined ? [] : [readOrigin(url)];
}

function readOrigin(text: string): string {
  if (URL.canParse(text) && new URL(text).origin !== "null") return new URL(text).origin;
  throw new InvalidSetting({
    setting: "--origin",
    problem: `"${text}" is not an origin`,
    hint: "Write it like http://localhost:3000",
  });
}

/** Runs the server until it ends or this process is told to end, and says why it ended. */
async function serve(options: string[], rules: WebRules): Promise<number> {
  const address = addressOf(options);
  await requireFree(address);
  const server = startServer(options, rules);
  let cancelled = false;
  const cancel = () => {
    // Only once: the server's processes pass the signal on, and a second one would stop the saving.
    if (!cancelled) server.kill("SIGTERM");
    cancelled = true;
  };
  ENDING.forEach((signal) => process.on(signal, cancel));
  try {
    const end = await endOf({ server, address });
    if (server.pid) {
      if (end.code === undefined) signalGroup(server.pid, "SIGTERM");
      await groupEnd(server.pid);
    }
    if (cancelled) return EXIT.cancelled;
    if (end.reason) process.stderr.write(`error: the development server ${end.reason}\n`);
    return end.code ?? EXIT.notSolved;
  } finally {
    ENDING.forEach((signal) => process.off(signal, cancel));
  }
}

interface ServerEnd {
  /** Undefined if a signal ended the server's first process, or the server died while that process lives on. */
  code?: number;
  /** In words; undefined for a normal end. */
  reason?: string;
}

/** Waits for the end of the server. Its file watcher outlives it, so this also checks that the server still listens. */
async function endOf({
  server,
  address,
}: {
  server: ChildProcess;
  address: Address;
}): Promise<ServerEnd> {
  const ended = new AbortController();
  try {
    return await Promise.race([
      new Promise<ServerEnd>((done, failed) => {
        server.on("error", failed);
        server.on("exit", (code, signal) => done(exitOf(code, signal)));
      }),
      silence({ address, signal: ended.signal }).then((reason) => ({ reason })),
    ]);
  } finally {
    ended.abort();
  }
}

function exitOf(code: number | null, signal: NodeJS.Signals | null): ServerEnd {
  if (code === null) return { reason: `was ended by ${signal}` };
  return code === 0 ? { code } : { code, reason: `ended with exit code ${code}` };
}

/** Keeps web pages out of the server; loaded into each of its processes. */
const GUARD = new URL("../dev/devGuard.js", import.meta.url).href;

function startServer(options: string[], rules: WebRules): ChildProcess {
  const cwd = packageRoot();
  const program = join(cwd, "node_modules/.bin/langgraphjs");
  if (!existsSync(program)) {
    throw new InvalidSetting({
      setting: "dev",
      problem: "LangGraph's development server is not installed",
      hint: "run it from a checkout of tulipgraph after npm ci",
    });
  }
  return spawn(program, ["dev", ...options], {
    cwd,
    env: {
      ...process.env,
      TULIPGRAPH_HOME: defaultHome(),
      // Otherwise the server sends usage reports over the network.
      LANGGRAPH_CLI_NO_ANALYTICS: "1",
      [RULES_VARIABLE]: JSON.stringify(rules),
      NODE_OPTIONS: [process.env["NODE_OPTIONS"], `--import=${GUARD}`].filter(Boolean).join(" "),
    },
    stdio: ["ignore", "inherit", "inherit"],
    // Its own process group: Ctrl-C reaches the server only through this process, and all processes of the group can be
    // waited for.
    detached: true,
  });
}

/** The server's first process ends before those that it started, so all of them are waited for. */
async function groupEnd(pid: number): Promise<void> {
  if (await isGone(pid, SAVING_MS)) return;
  signalGroup(pid, "SIGKILL");
  // A zombie that nobody reaps keeps its id, so this wait is limited too.
  await isGone(pid, DYING_MS);
}

/** Waits until no process of the group is left; false if the time runs out. */
async function isGone(pid: number, patienceMs: number): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  while (signalGroup(pid, 0)) {
    if (Date.now() > deadline) return false;
    await sleep(50);
  }
  return true;
}

/** Signals all processes of the group; false if none is left. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}
