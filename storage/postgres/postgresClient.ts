import { createRequire } from "node:module";
import { Socket } from "node:net";
import type { Client, ClientBase, ClientConfig } from "pg";
import { ofDriver } from "./unavailable.js";

/**
 * How long a connection may stay without a byte, in milliseconds. Then the database is asked over another one whether it
 * works on what it was asked here: it may take longer, or wait for a lock. If it does not, the connection hangs and is
 * given up. Without this it would be waited for until the system gives it up, which takes hours.
 */
const SILENT_MS = 30_000;

/**
 * How long a transaction may be idle, in milliseconds. Without a limit, the locks of a process that hangs or vanishes
 * in a transaction would block everybody else.
 */
const IDLE_TRANSACTION_MS = 30_000;

/** How long it may take to ask, in milliseconds, for the connection and for the answer each. */
const ASKING_MS = 5_000;

/** What tells that a process of Postgres works on a statement, and does not wait for its answer to be taken. */
const AT_WORK = `SELECT 1 FROM pg_stat_activity
  WHERE pid = $1 AND state = 'active' AND wait_event IS DISTINCT FROM 'ClientWrite'`;

/** Loaded only for a database, because loading takes time that whoever keeps data in files can save. */
export function loadPg(): typeof import("pg") {
  return createRequire(import.meta.url)("pg") as typeof import("pg");
}

/** Clients whose connections end when they hang, for as long as something is asked over them now and then. */
export function watchedClient(): typeof Client {
  const pg = loadPg();
  return class extends pg.Client {
    /** Of the process of Postgres that serves it. */
    declare readonly processID: number | null;
    /** Whether a pooler stands between, which gives each transaction to whatever process is free. */
    isPooled = false;

    constructor(given?: string | ClientConfig) {
      const config = typeof given === "string" ? { connectionString: given } : given;
      const socket = new Socket();
      super({ ...config, keepAlive: true, stream: () => socket });
      const ask = (...asked: Parameters<Client["query"]>) => super.query(...asked);
      this.query = ofDriver(ask) as Client["query"];
      const look = async () => {
        const { bytesRead } = socket;
        // Behind a pooler, nobody knows which process serves it.
        const process = this.isPooled ? undefined : this.processID;
        const isAlive = await isAtWork(pg.Client, config, process);
        if (isAlive || socket.bytesRead > bytesRead) socket.setTimeout(SILENT_MS);
        else socket.destroy(new Error(PROBLEM));
      };
      socket.setTimeout(SILENT_MS).on("timeout", () => void look());
    }
  };
}

/**
 * Makes a new connection ready. A pooler in transaction mode gives each transaction to another process of Postgres, so
 * nothing may be kept in a session there: no settings and no named statements. It tells a process number of its own.
 */
export async function makeReady(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const watched = client as ClientBase & { processID: number | null; isPooled: boolean };
  watched.isPooled = rows[0]?.pid !== watched.processID;
  if (watched.isPooled) return;
  // Not among the parameters of the start, which poolers refuse.
  await client.query(`SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_MS}`);
}

const PROBLEM = `Connection terminated: the database has not answered for ${SILENT_MS / 1_000} s`;

async function isAtWork(
  Asking: typeof Client,
  config: ClientConfig | undefined,
  process: number | null | undefined,
): Promise<boolean> {
  const socket = new Socket();
  const limits = { connectionTimeoutMillis: ASKING_MS, query_timeout: ASKING_MS };
  const asking = new Asking({ ...config, ...limits, stream: () => socket });
  asking.on("error", () => undefined);
  try {
    await asking.connect();
    const asked =
      process === undefined ? asking.query("SELECT 1") : asking.query(AT_WORK, [process]);
    return (await asked).rowCount === 1;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
