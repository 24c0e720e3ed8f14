import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";

/** Longest start of a server, in milliseconds. */
const STARTING_MS = 120_000;

/** Where programs come from, and what they are given. */
export interface Programs {
  /** A checkout with a build. */
  root: string;
  env: NodeJS.ProcessEnv;
}

/** How a command ended. */
export interface Ended {
  argv: readonly string[];
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Processes that must not outlive this one. */
const started = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});

function start({ env }: Programs, argv: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, argv, { env, stdio: ["pipe", "pipe", "pipe"] });
  started.add(child);
  child.once("exit", () => started.delete(child));
  return child;
}

const program = ({ root }: Programs) => join(root, "bin/tulipgraph.mjs");

/** Runs the command line to its end. */
export async function command(
  programs: Programs,
  argv: readonly string[],
  input = "",
): Promise<Ended> {
  const child = start(programs, [program(programs), ...argv]);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  child.stdin?.on("error", () => undefined).end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { argv, code, stdout: stdout(), stderr: stderr() };
}

function textOf(stream: ChildProcess["stdout"]): () => string {
  let text = "";
  stream?.setEncoding("utf8").on("data", (part: string) => (text += part));
  return () => text;
}

/** A server that runs graphs and shows its libraries. */
export async function startServer(programs: Programs, key: string, processes: number) {
  const argv = ["serve", "--port", "0", ...(processes > 1 ? ["--processes", `${processes}`] : [])];
  const child = start(programs, [program(programs), ...argv]);
  const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
  const output = () => stdout() + stderr();
  const giveUpAt = Date.now() + STARTING_MS;
  let apiUrl: string | undefined;
  while (apiUrl === undefined) {
    apiUrl = /Server running at (http\S+)/.exec(output())?.[1];
    if (Date.now() > giveUpAt || child.exitCode !== null)
      throw new Error(`a server did not start: ${output()}`);
    await sleep(50);
  }
  const client = new Client({ apiUrl, apiKey: key, callerOptions: { maxRetries: 0 } });
  const url = apiUrl;
  return {
    output,
    /** The ids of a library's tools; none if it knows no such library. */
    tools: async (library: string): Promise<string[]> => {
      const asked = `${url}/console/tools?limit=200&library=${library}`;
      const response = await fetch(asked, { headers: { "x-api-key": key } });
      if (response.status === 404) return [];
      if (!response.ok) throw new Error(`${asked}: ${response.status} ${await response.text()}`);
      return ((await response.json()) as { id: string }[]).map(({ id }) => id);
    },
    /** Makes a run. */
    run: async (request: string, library: string): Promise<string> => {
      const context = { library, model: "openai:double" };
      const input = { request };
      const values = await client.runs.wait(null, "naive_tool", { input, context });
      return JSON.stringify(values);
    },
    end: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}

/** A process that keeps libraries open; it answers one question after another. */
export function startLongUser(programs: Programs) {
  const file = join(import.meta.dirname, "../fixtures/oneHome/longUser.mjs");
  const child = start(programs, [file, programs.root]);
  const stderr = textOf(child.stderr);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  let turn: Promise<unknown> = Promise.resolve();
  const ask = async (question: object): Promise<{ found?: boolean; error?: string }> => {
    const answered = turn.then(async () => {
      child.stdin?.write(`${JSON.stringify(question)}\n`);
      const { value, done } = await lines.next();
      if (done === true) throw new Error(`the long user has ended: ${stderr()}`);
      return JSON.parse(value) as { found?: boolean; error?: string };
    });
    turn = answered.catch(() => undefined);
    return await answered;
  };
  return {
    output: () =>
      stderr() + (child.signalCode ? `\nthe long user ended by ${child.signalCode}` : ""),
    ask,
    end: async () => {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}
