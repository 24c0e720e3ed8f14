import { setTimeout as pause } from "node:timers/promises";
import { Client } from "pg";
import { beforeAll, describe, expect, it } from "vitest";
import { openSignals } from "../../server/runs/signals.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import { defaultHome } from "../../home/home.js";
import { isAway } from "../../storage/postgres/unavailable.js";
import { openStore } from "../../storage/database.js";
import { borrowPool } from "../../storage/postgres/postgresPool.js";
import { hasPostgres, makeDatabase } from "../fakes/homes.js";
import { hurry } from "../fakes/hurriedTime.js";
import { startProxy } from "../fakes/tcpProxy.js";

const TIMES = 10;

beforeAll(() => hurry([10_000, 30_000], TIMES));

/** Longer than a connection may be silent before the database is asked about it. */
const LONG_MS = 33_000 / TIMES;

/** Within this time a connection that hangs is noticed; a listener asks something only every ten seconds. */
const NOTICED_MS = 42_000;
const LISTENER_MS = NOTICED_MS + 12_000;

const PATIENT = { timeout: 120_000 };

/** A test with a database of its own. Tests that run at the same time cannot leave it to the runner to remove it. */
const inDatabase = (test: (url: string) => Promise<void>) => async () => {
  const { url, drop } = await makeDatabase();
  await test(url).finally(drop);
};

/** A proxy that can make connections to a database hang. */
async function proxyOf(database: string) {
  const url = new URL(database);
  const proxy = await startProxy(Number(url.port));
  url.port = String(proxy.port);
  return { url: url.href, proxy };
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

/** The signals of a server. */
function signalsAt(url: string) {
  const place = { home: defaultHome(), url };
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  const signals = openSignals({ data, url });
  const close = async () => {
    await signals.close();
    await data.close();
  };
  return { ...signals, close };
}

/** Whether a signal comes over the database in time; those of the queue are looked for nowhere else. */
async function passes(
  from: ReturnType<typeof signalsAt>,
  to: ReturnType<typeof signalsAt>,
  withinMs = 500,
) {
  const heard = to.subscribe("queue");
  from.send("queue");
  const isHeard = await Promise.race([heard.next().then(() => true), pause(withinMs, false)]);
  heard.end();
  return isHeard;
}

/** The processes of Postgres that serve listeners. */
async function listeners(client: Client): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database()
     AND pid <> pg_backend_pid() AND query IN ('LISTEN tulipgraph_server', 'SELECT 1') ORDER BY pid`,
  );
  return rows.map(({ pid }) => pid);
}

describe.skipIf(!hasPostgres).concurrent("a connection that is silent for long", PATIENT, () => {
  it(
    "is waited for while the database works, or waits for a lock",
    inDatabase(async (url) => {
      const holder = await connected(url);
      await holder.query("SELECT pg_advisory_lock(1)");
      const { pool, end } = borrowPool(url);
      const locked = pool.query("SELECT pg_advisory_lock(1), 'mine' AS answer");
      await pause(LONG_MS);
      await holder.end();
      expect((await locked).rows).toMatchObject([{ answer: "mine" }]);
      await end();
    }),
  );

  it(
    "is given up when it hangs, and the next one answers",
    inDatabase(async (direct) => {
      const { url, proxy } = await proxyOf(direct);
      const { pool, end } = borrowPool(url);
      const client = await pool.connect();
      proxy.hang();
      const since = performance.now();
      const failure: unknown = await client.query("SELECT 1").catch((error: unknown) => error);
      expect(isAway(failure)).toBe(true);
      expect(String(failure)).toContain("the database has not answered for 30 s");
      expect(performance.now() - since).toBeLessThan(NOTICED_MS);
      client.release(true);
      expect((await pool.query("SELECT 1 AS one")).rows).toEqual([{ one: 1 }]);
      await end();
      await proxy.close();
    }),
  );

  it(
    "passes signals between servers at once, and is not made anew, when nobody has asked them anything",
    inDatabase(async (url) => {
      const [one, other] = [signalsAt(url), signalsAt(url)];
      const watching = await connected(url);
      await expect.poll(() => listeners(watching), PATIENT).toHaveLength(2);
      const before = await listeners(watching);
      await pause(LONG_MS);
      expect(await passes(one, other, NOTICED_MS)).toBe(true);
      expect(await listeners(watching)).toEqual(before);
      await Promise.all([one.close(), other.close(), watching.end()]);
    }),
  );

  it(
    "passes signals again within a minute when it hangs",
    inDatabase(async (direct) => {
      const { url, proxy } = await proxyOf(direct);
      const [one, other] = [signalsAt(direct), signalsAt(url)];
      await expect.poll(() => passes(one, other), PATIENT).toBe(true);
      proxy.hang();
      expect(await passes(one, other)).toBe(false);
      await expect.poll(() => passes(one, other), { timeout: LISTENER_MS }).toBe(true);
      await Promise.all([one.close(), other.close()]);
      await proxy.close();
    }),
  );
});
