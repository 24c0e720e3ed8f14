import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { TestProject } from "vitest/node";
import { findPostgres } from "../scripts/testing/supply-package.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** Address of a database of the tests' own Postgres; empty where none is installed. */
    postgres: string;
  }
}

const STARTING_MS = 60_000;

/** Global set-up: one Postgres for all tests, which make databases of their own in it. */
export default async function startForTests(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres();
  project.provide("postgres", server?.url ?? "");
  return async () => await server?.stop();
}

export interface PostgresServer {
  url: string;
  port: number;
  process: ChildProcess;
  /** Starts it again on the same port with the same data, after it was ended. */
  restart: () => Promise<void>;
  /** Ends it and removes its data. */
  stop: () => Promise<void>;
}

/**
 * Starts a Postgres of its own on a free port of loopback, with data in a folder that goes with it.
 *
 * @param more further settings, such as `max_wal_size=4GB`
 * @returns undefined where Postgres is not installed
 */
export async function startPostgres(
  more: readonly string[] = [],
): Promise<PostgresServer | undefined> {
  const programs = findPostgres();
  if (programs === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), "tulipgraph-postgres-"));
  // Postgres refuses to run as root.
  const user = userToRunAs();
  if (user) chownSync(folder, user.uid, user.gid);
  const data = join(folder, "data");
  const how = { ...user, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C.UTF-8" } };
  execFileSync(
    join(programs, "initdb"),
    ["--pgdata", data, "--username", "tulipgraph", "--auth", "trust", "--no-sync", "-E", "UTF8"],
    { ...how, stdio: "ignore" },
  );
  const port = await freePort();
  const url = `postgres://tulipgraph@127.0.0.1:${port}/postgres`;
  const start = async () => {
    const options = ["fsync=off", "listen_addresses=127.0.0.1", "max_connections=400"];
    const settings = [...options, ...more, `unix_socket_directories=${folder}`].flatMap((one) => [
      "-c",
      one,
    ]);
    const server = spawn(
      join(programs, "postgres"),
      ["-D", data, "-p", String(port), ...settings],
      {
        ...how,
        stdio: "ignore",
      },
    );
    await answering(server, url);
    return server;
  };
  const running: PostgresServer = {
    url,
    port,
    process: await start(),
    restart: async () => {
      const giveUpAt = Date.now() + STARTING_MS;
      // One that was killed leaves processes, which hold its memory for a moment.
      const again = async (error: unknown): Promise<ChildProcess> => {
        if (Date.now() > giveUpAt) throw error;
        await sleep(50);
        return await start().catch(again);
      };
      running.process = await start().catch(again);
    },
    stop: async () => {
      await end(running.process);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // Should the tests themselves be ended, nothing stays behind.
  process.once("exit", () => running.process.kill("SIGKILL"));
  return running;
}

/** Immediate shutdown: what the tests have stored is thrown away. */
async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((done) => server.once("exit", done));
  server.kill("SIGQUIT");
  await ended;
}

function userToRunAs(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  return { uid: idOfPostgres("-u"), gid: idOfPostgres("-g") };
}

function idOfPostgres(flag: string): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port was given");
  return address.port;
}

async function answering(server: ChildProcess, url: string): Promise<void> {
  const giveUpAt = Date.now() + STARTING_MS;
  while (server.exitCode === null) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
    }
    await sleep(50);
  }
  throw new Error(`Postgres ended with exit code ${server.exitCode}`);
}
