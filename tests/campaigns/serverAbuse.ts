/**
 * How long `/ok` takes while a server is abused: slow bodies, gzip bombs, deep JSON, floods of headers, 2,000
 * connections, and all of it at once.
 *
 *   npx tsx tests/campaigns/serverAbuse.ts --seconds 10
 *
 * The server is compiled (`npm run build` makes dist), keeps its data in SQLite files in a temporary folder, and listens
 * on this machine. Each kind of abuse ends after the given time. The short form is tests/server/abuse.campaign.test.ts.
 */
import { spawn } from "node:child_process";
import { type Socket, connect } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { inTemporaryFolder } from "../../eval/files.js";
import { quantile } from "../../eval/statistics/descriptive.js";
import { startServer } from "../fakes/langgraphServer.js";
import { optionsOf, write, writeHead, writeRow } from "./scriptSupport.js";

const { seconds, connections, most, root } = optionsOf({
  seconds: 10,
  connections: 2_000,
  /** The longest that the slowest in a hundred answers of `/ok` may take, in milliseconds. */
  most: 200,
  root: ".",
});

/** Senders at the same time, for abuse that is repeated. */
const SENDERS = 20;

const POST = "POST /threads HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";

/** Something that is done to the server on this port until the signal. */
type Abuse = (port: number, signal: AbortSignal) => Promise<unknown>;

const BOMB = gzipSync(Buffer.alloc(100_000_000));
const DEEP = `{"metadata":${'{"a":['.repeat(80_000)}${"]}".repeat(80_000)}}`;
const WIDE = JSON.stringify({ metadata: Object.fromEntries(numbers(60_000).map((n) => [n, n])) });

const ABUSES: Record<string, Abuse> = {
  nothing: async (_port, signal) => await ended(signal),
  "slow bodies": slowBodies,
  "gzip bombs": again((port) => post(port, BOMB, "Content-Encoding: gzip\r\n")),
  "deep JSON": again((port) => post(port, Buffer.from(DEEP))),
  "many fields": again((port) => post(port, Buffer.from(WIDE))),
  "floods of headers": again((port) => exchange(port, Buffer.from(floodOfHeaders()))),
  connections: manyConnections,
};

await inTemporaryFolder("serverabuse", async (folder) => {
  const server = await startServer({
    command: [process.execPath, join(resolve(root), "bin/tulipgraph.mjs"), "serve"],
    env: { TULIPGRAPH_HOME: folder, TULIPGRAPH_LOG_LEVEL: "error" },
    isOurs: true,
  });
  try {
    writeHead(["abuse", "answers", "p50 ms", "p99 ms", "longest ms"]);
    const all: Abuse = async (port, signal) =>
      await Promise.all(Object.values(ABUSES).map((abuse) => abuse(port, signal)));
    for (const [name, abuse] of Object.entries({ ...ABUSES, "all at once": all })) {
      await measure(name, abuse, server.url);
    }
    const errors = server.output().match(/"event":"request_failed"/g) ?? [];
    write(`${errors.length} requests ended with an internal error`);
    if (errors.length > 0) process.exitCode = 1;
  } finally {
    await server.stop();
  }
});

async function measure(name: string, abuse: Abuse, url: string): Promise<void> {
  const probe = spawn(process.execPath, ["tests/fakes/okProbe.mjs", url, "10"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const signal = AbortSignal.timeout(seconds * 1_000);
  await abuse(Number(new URL(url).port), signal);
  probe.stdin.end();
  const times = JSON.parse(await text(probe.stdout)) as number[];
  const [p50 = 0, p99 = 0, longest = 0] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  writeRow([name, times.length, ...[p50, p99, longest].map(Math.round)]);
  if (!(p99 < most)) process.exitCode = 1;
}

/** Several senders, each of which repeats a request until the end. */
function again(request: (port: number) => Promise<unknown>): Abuse {
  return async (port, signal) => {
    const send = async () => {
      while (!signal.aborted) await request(port);
    };
    await Promise.all(numbers(SENDERS).map(send));
  };
}

async function post(port: number, body: Buffer, headers = ""): Promise<void> {
  const head = `${POST}${headers}Content-Length: ${body.length}\r\n\r\n`;
  await exchange(port, Buffer.concat([Buffer.from(head), body]));
}

/** Sends something, and waits for the answer to begin or the connection to end. */
async function exchange(port: number, bytes: Buffer): Promise<void> {
  const socket = opened(port);
  socket.write(bytes);
  await new Promise<void>((done) => {
    socket.once("data", () => done());
    socket.once("close", () => done());
  });
  socket.destroy();
}

/** Connections that each send a body of a kilobyte, a byte at a time. */
async function slowBodies(port: number, signal: AbortSignal): Promise<void> {
  const sockets = numbers(500).map(() => opened(port));
  for (const socket of sockets) socket.write(`${POST}Content-Length: 1000\r\n\r\n`);
  while (!signal.aborted) {
    for (const socket of sockets) if (socket.writable) socket.write(" ");
    await sleep(100);
  }
  for (const socket of sockets) socket.destroy();
}

/** Connections that say hardly anything. */
async function manyConnections(port: number, signal: AbortSignal): Promise<void> {
  const sockets: Socket[] = [];
  for (let count = 0; count < connections && !signal.aborted; count++) {
    sockets.push(opened(port));
    if (count % 50 === 0) await sleep(10);
  }
  for (const socket of sockets) socket.write("GET /ok HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
  await ended(signal);
  for (const socket of sockets) socket.destroy();
}

function opened(port: number): Socket {
  return connect(port, "127.0.0.1").on("error", () => undefined);
}

function floodOfHeaders(): string {
  const headers = numbers(5_000).map((n) => `X-${n}: ${"y".repeat(100)}\r\n`);
  return `GET /ok HTTP/1.1\r\nHost: localhost\r\n${headers.join("")}\r\n`;
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number);
}

async function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((done) => signal.addEventListener("abort", () => done()));
}
