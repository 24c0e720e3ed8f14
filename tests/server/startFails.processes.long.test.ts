import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newHome } from "../fakes/homes.js";
import { ROOT, isAlive, watchProcesses } from "../fakes/langgraphServer.js";

const PATIENT = { timeout: 60_000 };

/** Starts `tulipgraph serve`; none of its processes outlives the test. */
function serve(args: string[], env: NodeJS.ProcessEnv = {}) {
  const home = newHome();
  writeFileSync(join(home, "nothing.ts"), "export const nothing = 1;");
  const watched = watchProcesses(home);
  const program = join(ROOT, "bin/tulipgraph.mjs");
  const server = spawn(process.execPath, [program, "serve", ...args], {
    cwd: home,
    env: { PATH: process.env.PATH, TULIPGRAPH_HOME: home, ...watched.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  let output = "";
  server.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
  const pids = () => [...new Set(watched.seen().map(({ pid }) => pid))];
  onTestFinished(() => {
    for (const pid of pids().filter(isAlive)) process.kill(pid, "SIGKILL");
  });
  return { server, pids, output: () => output, home };
}

const ended = async (server: ChildProcess): Promise<unknown> =>
  server.exitCode ?? server.signalCode ?? (await once(server, "exit"))[0];

/** A port that another program listens on. */
async function takenPort(): Promise<number> {
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  return (other.address() as AddressInfo).port;
}

it.each([
  { what: "a server", processes: "1" },
  { what: "a server of two processes", processes: "2" },
])("$what that cannot start ends with its error in one line", async ({ processes }) => {
  const cases: { args: string[]; says: RegExp }[] = [
    { args: ["--port", `${await takenPort()}`], says: /^error: port: .* is taken/ },
    { args: ["--port", "0", "--config", "none.json"], says: /none\.json/ },
    { args: ["--port", "0", "--graph", "x=nothing.ts"], says: /does not export a wiring/ },
    { args: ["--port", "0", "--host", "192.0.2.1"], says: /cannot be used/ },
  ];
  const outcomes = cases.map(async ({ args, says }) => {
    const { server, output, pids } = serve([...args, "--processes", processes]);
    expect(await ended(server)).toBe(2);
    expect(output()).toMatch(says);
    expect(output()).toMatch(/^error: [^\n]+\n$/);
    expect(pids().filter(isAlive)).toEqual([]);
  });
  await Promise.all(outcomes);
});

it("a server of two processes ends if the first of them is killed before it serves", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  onTestFinished(() => void silent.close());
  silent.on("connection", (socket) => socket.pause());
  const { port } = silent.address() as AddressInfo;
  const database = { TULIPGRAPH_DATABASE_URL: `postgres://me@127.0.0.1:${port}/none` };
  const { server, pids, output } = serve(["--port", "0", "--processes", "2"], database);
  await expect.poll(output, PATIENT).toContain("Waiting for the database");
  for (const pid of pids()) if (pid !== server.pid) process.kill(pid, "SIGKILL");
  expect(await ended(server)).toBe(1);
});
