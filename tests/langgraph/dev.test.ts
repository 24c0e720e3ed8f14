import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { type AddressInfo, type Server, createServer } from "node:net";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import {
  type LangGraphServer,
  ROOT,
  isAlive,
  seenPids,
  startServer,
} from "../fakes/langgraphServer.js";

const TULIPGRAPH = join(ROOT, "bin/tulipgraph.mjs");
const LANGGRAPHJS = join(ROOT, "node_modules/.bin/langgraphjs");

/** Nothing in the environment turns the analytics of LangGraph's command line off. */
const ANALYTICS = { LANGGRAPH_CLI_NO_ANALYTICS: undefined };

let server: LangGraphServer | undefined;

afterEach(async () => {
  await server?.stop();
  server = undefined;
});

describe("tulipgraph dev", () => {
  it.each([
    ["SIGINT", ["dev", "--"]],
    ["SIGTERM", ["dev", "--", "--no-reload"]],
    ["SIGHUP", ["dev", "--no-reload"]],
  ] as const)(
    "serves the graphs without a word to the network, and on %s ends with all that it started",
    async (signal, args) => {
      server = await startServer({
        command: [process.execPath, TULIPGRAPH, ...args],
        env: ANALYTICS,
      });
      const client = new Client({ apiUrl: server.url });
      const assistants = await client.assistants.search({ limit: 100 });
      expect(assistants.map(({ graph_id }) => graph_id)).toContain("cot_tulip");
      const pids = seenPids(server);
      expect(pids.length).toBeGreaterThan(2);
      expect(server.seen().filter(({ host }) => host !== undefined)).toEqual([]);
      server.process.kill(signal);
      // Not "exit": what it has printed may still be on its way then.
      const [code] = await once(server.process, "close");
      expect(code).toBe(130);
      expect(pids.filter(isAlive)).toEqual([]);
      expect(server.output()).toMatch(/Flushing to persistent storage/);
    },
    300_000,
  );
});

describe("web pages and a developer's server", () => {
  const EVIL = "https://evil.example";
  const STUDIO = "https://smith.langchain.com";
  const OPENED = ["--origin", "https://mine.example/app", "--allow-host", "dev.example"];

  it("meet only where the page is Studio, or one that the developer names", async () => {
    server = await startServer({
      command: [process.execPath, TULIPGRAPH, "dev", "--no-reload", ...OPENED],
    });
    const { url } = server;
    const client = new Client({ apiUrl: url });
    const { thread_id } = await client.threads.create({ metadata: { kept: true } });
    const own = new URL(url).host;
    const ask = (path: string, method: string, headers: Record<string, string>) =>
      answerTo({ url: url + path, method, headers: { host: own, ...headers }, body: "{}" });

    const strange: Record<string, string>[] = [
      { origin: EVIL },
      { origin: "null" },
      { origin: "http://localhost:3000" },
      { host: "rebound.example" },
      { host: "rebound.example", origin: "http://rebound.example" },
    ];
    for (const headers of strange) {
      // As plain text, which browsers send without asking; the server reads it as JSON.
      const text = { ...headers, "content-type": "text/plain" };
      const asked = { ...headers, "access-control-request-method": "POST" };
      for (const refused of [
        await ask("/threads/search", "POST", text),
        await ask("/internal/truncate", "POST", { ...headers, "content-type": "application/json" }),
        await ask(`/threads/${thread_id}`, "GET", headers),
        await ask("/runs", "OPTIONS", asked),
        await ask("/v2/ws", "GET", { ...headers, connection: "Upgrade", upgrade: "websocket" }),
      ]) {
        expect(refused.status).toBe(403);
        expect(refused.headers["access-control-allow-origin"]).toBeUndefined();
      }
    }
    expect((await client.threads.get(thread_id)).metadata).toMatchObject({ kept: true });

    for (const origin of [STUDIO, "https://mine.example"]) {
      const asked = await ask("/threads/search", "OPTIONS", {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "content-type",
        "access-control-request-private-network": "true",
      });
      expect(asked.status).toBe(204);
      expect(asked.headers).toMatchObject({
        "access-control-allow-origin": origin,
        "access-control-allow-headers": "content-type",
        "access-control-allow-private-network": "true",
      });
      const found = await ask("/threads/search", "POST", {
        origin,
        "content-type": "application/json",
      });
      expect(found.status).toBe(200);
      expect(found.headers["access-control-allow-origin"]).toBe(origin);
    }
    const named = await ask("/ok", "GET", { host: "dev.example:2024" });
    expect(named.status).toBe(200);
    expect(named.headers["access-control-allow-origin"]).toBeUndefined();
  }, 300_000);

  it("are told apart by origins that are ones", () => {
    const args = [TULIPGRAPH, "dev", "--origin", "nonsense"];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      timeout: 120_000,
    });
    expect(status).toBe(2);
    expect(stderr).toMatch(/^error: --origin: [^\n]+\n$/m);
  }, 150_000);
});

/** The answer to headers that `fetch` would not send. */
async function answerTo(asked: {
  url: string;
  method: string;
  headers: Record<string, string>;
  body: string;
}): Promise<{ status: number; headers: IncomingHttpHeaders }> {
  const { url, method, headers, body } = asked;
  const sent = request(url, { method, headers });
  sent.end(method === "POST" ? body : undefined);
  const [answer] = (await Promise.race([once(sent, "response"), once(sent, "upgrade")])) as [
    IncomingMessage,
  ];
  answer.resume();
  return { status: answer.statusCode ?? 0, headers: answer.headers };
}

describe("a server that dies", () => {
  it("ends tulipgraph dev with the reason, although what watches its files goes on", async () => {
    const port = await freePort();
    const args = [TULIPGRAPH, "dev", "--no-browser", "--host", "127.0.0.1", "--port", String(port)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
    onTestFinished(() => void child.kill("SIGTERM"));
    let stderr = "";
    child.stderr.on("data", (text) => (stderr += String(text)));
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/ok`).then(
        ({ ok }) => ok,
        () => false,
      );
    await expect.poll(answers, { timeout: 200_000, interval: 500 }).toBe(true);
    const pids = descendants(child.pid ?? 0);
    // The server itself is the innermost process, but for the compiler that it may have started.
    const servers = pids.filter((pid) => !commandOf(pid).includes("esbuild"));
    process.kill(servers.at(-1) ?? 0, "SIGKILL");
    const [code] = await once(child, "close");
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: the development server [^\n]+$/m);
    expect(pids.filter(isAlive)).toEqual([]);
  }, 300_000);

  it("is not started on a port that another program has", async () => {
    const { other, port } = await listening();
    const args = [TULIPGRAPH, "dev", "--no-browser", "--port", String(port)];
    const { status, stderr } = spawnSync(process.execPath, args, {
      encoding: "utf8",
      timeout: 120_000,
    });
    other.close();
    expect(status).toBe(2);
    expect(stderr).toMatch(new RegExp(`(^|\\n)error: port ${port}: [^\\n]+\\n$`));
  }, 150_000);
});

describe("langgraphjs dev", () => {
  it("starts without an answer to its analytics, the only connection that it wants", async () => {
    server = await startServer({ command: [LANGGRAPHJS, "dev", "--no-reload"], env: ANALYTICS });
    const { url, seen } = server;
    expect(await new Client({ apiUrl: url }).assistants.search()).not.toEqual([]);
    const wanted = seen().filter(({ host }) => host !== undefined);
    expect(wanted).toHaveLength(1);
    expect(wanted[0]?.program).toMatch(/langgraphjs$/);
  }, 900_000);
});

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, "utf8");
}

async function listening(): Promise<{ other: Server; port: number }> {
  const other = createServer().listen(0, "localhost");
  await once(other, "listening");
  return { other, port: (other.address() as AddressInfo).port };
}

async function freePort(): Promise<number> {
  const { other, port } = await listening();
  other.close();
  return port;
}

/** The processes that a process has started, and theirs, each after the one that has started it. */
function descendants(pid: number): number[] {
  const { stdout } = spawnSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const found = [pid];
  for (const parent of found) {
    found.push(...rows.flatMap(([child = 0, of]) => (of === parent ? [child] : [])));
  }
  return found.slice(1);
}
