import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type TcpProxy, startProxy } from "../fakes/tcpProxy.js";
import type { PostgresServer } from "../postgresServer.js";
import { type Disturbance, LEASE_MS } from "./serverCampaign.js";

/** How long a server is halted: long enough for others to take its runs over, in milliseconds. */
const HALT_MS = 2.5 * LEASE_MS;

/** How long a disk stays full, in milliseconds. */
const FULL_MS = 3_000;

/** Halts a server longer than its lease, and lets it go on with what it was about to do. */
export const halt: Disturbance = async ({ servers }) => {
  const process = servers[Math.floor(Math.random() * servers.length)]?.process;
  process?.kill("SIGSTOP");
  await sleep(HALT_MS);
  process?.kill("SIGCONT");
};

/** Restarts the database under all servers. */
export function restart(postgres: PostgresServer): Disturbance {
  return async () => {
    const ended = once(postgres.process, "exit");
    postgres.process.kill("SIGINT");
    await ended;
    await postgres.restart();
  };
}

/** Proxies between servers and their database, one for each place; `hang` makes one after the other hang. */
export async function proxies(postgres: PostgresServer, servers: number) {
  const made: TcpProxy[] = [];
  for (let place = 0; place < servers; place++) made.push(await startProxy(postgres.port));
  const hang: Disturbance = async () => {
    const [next] = made;
    next?.hang();
    made.push(...made.splice(0, 1));
    await sleep(HALT_MS);
  };
  const addresses = made.map(({ port }) => `postgres://tulipgraph@127.0.0.1:${port}/postgres`);
  return {
    hang,
    environment: (place: number) => ({ TULIPGRAPH_DATABASE_URL: addresses[place] }),
    close: async () => void (await Promise.all(made.map((each) => each.close()))),
  };
}

/** The environment of a server whose clock is an hour ahead: the first one. */
export function clockOf(place: number): NodeJS.ProcessEnv {
  const ahead = resolve("tests/fakes/fastClock.mjs");
  return place === 0 ? { NODE_OPTIONS: `--import=${ahead}` } : {};
}

/** A small disk of its own. */
export interface SmallDisk {
  folder: string;
  /** Fills it for a while. */
  full: Disturbance;
  remove: () => void;
}

/**
 * Mounts a small disk in memory.
 *
 * @returns undefined where that is not allowed
 */
export function smallDisk(folder: string, megabytes: number): SmallDisk | undefined {
  const place = join(folder, "disk");
  mkdirSync(place);
  // Postgres runs as another user.
  chmodSync(folder, 0o755);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "none", place], {
      stdio: "ignore",
    });
  } catch {
    return undefined;
  }
  const ballast = join(place, "ballast");
  return {
    folder: place,
    full: async () => {
      for (let size = megabytes * 1_000_000; size > 1_000; size /= 2) {
        fillWith(ballast, size);
      }
      await sleep(FULL_MS);
      rmSync(ballast, { force: true });
    },
    remove: () => void execFileSync("umount", ["--lazy", place]),
  };
}

/** Adds bytes to a file, or as many as there is room for. */
function fillWith(file: string, bytes: number): void {
  try {
    writeFileSync(file, Buffer.alloc(bytes), { flag: "a" });
  } catch {
    // The disk is full, as it should be.
  }
}
