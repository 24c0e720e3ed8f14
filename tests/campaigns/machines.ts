import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { type TcpProxy, startProxy } from "../fakes/tcpProxy.js";
import { type Disturbance, LEASE_MS, type ServerOptions, killOne } from "./serverCampaign.js";

/** How long a fault lasts, in milliseconds: longer than a lease, so that others take over. */
const FAULT_MS = 1.5 * LEASE_MS;

/** How long parts between a machine and the database are kept back, in milliseconds. */
const SLOW_MS = 150;

/** Machines with a network of their own each, on this one. */
export interface Machines extends Required<
  Pick<ServerOptions, "argv" | "environment" | "launch" | "onModel">
> {
  /** Something happens to one of them: it dies, its cable is cut, its connections break off, or all it sends is late. */
  disturb: Disturbance;
  close: () => Promise<void>;
}

/**
 * Makes network namespaces, each with a cable to this one and nothing else. What they need here, the database and the model,
 * they reach through proxies at the end of their cable; servers listen at the other end.
 *
 * @returns undefined where namespaces may not be made (they take root, and Linux)
 */
export async function makeMachines(options: {
  count: number;
  postgresPort: number;
  folder: string;
}): Promise<Machines | undefined> {
  const { count, postgresPort, folder } = options;
  const places = Array.from({ length: count }, (_, place) => cableOf(place));
  const databases: TcpProxy[] = [];
  const models: TcpProxy[] = [];
  const close = async () => {
    await Promise.all([...databases, ...models].map((proxy) => proxy.close()));
    for (const { name } of places) quietly("netns", "del", name);
  };
  try {
    for (const place of places) lay(place);
    for (const { here } of places) databases.push(await startProxy(postgresPort, here));
  } catch {
    await close();
    return undefined;
  }
  const policy = join(folder, "policy.json");
  const hosts = places.map(({ there }) => there);
  writeFileSync(policy, JSON.stringify({ authentication: "off", hosts }));
  const at = (place: number) => places[place] ?? cableOf(place);
  const url = (place: number, proxies: TcpProxy[]) => `${at(place).here}:${proxies[place]?.port}`;
  const faults: Disturbance[] = [
    killOne,
    async () => {
      const { name } = at(Math.floor(Math.random() * count));
      ip("-n", name, "link", "set", "cable", "down");
      await sleep(FAULT_MS);
      ip("-n", name, "link", "set", "cable", "up");
    },
    async () => {
      const proxy = databases[Math.floor(Math.random() * count)];
      proxy?.cut();
      await sleep(FAULT_MS / 10);
      proxy?.cut();
    },
    async () => {
      const proxy = databases[Math.floor(Math.random() * count)];
      if (proxy) proxy.delayMs = SLOW_MS;
      await sleep(FAULT_MS);
      if (proxy) proxy.delayMs = 0;
    },
  ];
  let next = 0;
  return {
    launch: (place) => ["ip", "netns", "exec", at(place).name],
    argv: (place) => ["--host", at(place).there, "--port", "8123", "--config", policy],
    environment: (place) => ({
      TULIPGRAPH_DATABASE_URL: `postgres://tulipgraph@${url(place, databases)}/postgres`,
      OPENAI_BASE_URL: `http://${url(place, models)}/v1`,
    }),
    onModel: async (port) => {
      for (const { here } of places) models.push(await startProxy(port, here));
    },
    disturb: async (parts) => await faults[next++ % faults.length]?.(parts),
    close,
  };
}

interface Cable {
  name: string;
  /** Addresses of its two ends. */
  here: string;
  there: string;
}

function cableOf(place: number): Cable {
  const name = `tulip${process.pid}-${place}`;
  const net = `10.77.${process.pid % 250}`;
  return { name, here: `${net}.${4 * place + 1}`, there: `${net}.${4 * place + 2}` };
}

/** Makes a machine, and lays its cable, which goes with it. */
function lay({ name, here, there }: Cable): void {
  const end = `v${name.slice("tulip".length)}`;
  ip("netns", "add", name);
  ip("link", "add", end, "type", "veth", "peer", "name", "cable", "netns", name);
  ip("addr", "add", `${here}/30`, "dev", end);
  ip("link", "set", end, "up");
  ip("-n", name, "addr", "add", `${there}/30`, "dev", "cable");
  ip("-n", name, "link", "set", "cable", "up");
  ip("-n", name, "link", "set", "lo", "up");
}

function ip(...args: string[]): void {
  execFileSync("ip", args, { stdio: "ignore" });
}

function quietly(...args: string[]): void {
  try {
    ip(...args);
  } catch {
    // It was never made.
  }
}

/** How often it is looked who has which run, in milliseconds. */
const LOOK_MS = 100;

/**
 * Watches how long runs are without anybody who works on them: from the last sign of life of the process that had one to the
 * moment when another one takes it.
 */
export async function watchTakeOvers(url: string) {
  const database = new Client({ connectionString: url });
  await database.connect();
  const known = new Map<string, Seen>();
  const times: number[] = [];
  const over = new AbortController();
  const look = async () => {
    const { rows } = await database.query<Seen & { run_id: string; now: number }>(
      `select run_id, attempts::int, lease_until::float,
         extract(epoch from clock_timestamp())::float * 1000 as now from tulipgraph_server.runs
       where status in ('pending', 'running')`,
    );
    for (const { run_id, now, ...seen } of rows) {
      const before = known.get(run_id);
      known.set(run_id, seen);
      const isTaken = before && seen.attempts > before.attempts && before.lease_until > 0;
      if (isTaken) times.push(now - (before.lease_until - LEASE_MS));
    }
  };
  const looking = (async () => {
    while (!over.signal.aborted) {
      // There is no table before the first server has made it.
      await look().catch(() => undefined);
      await sleep(LOOK_MS);
    }
  })();
  return {
    /** Of every run that was taken over, in milliseconds. */
    times: () => times,
    close: async () => {
      over.abort();
      await looking;
      await database.end();
    },
  };
}

/** Who has a run. */
interface Seen {
  attempts: number;
  lease_until: number;
}
