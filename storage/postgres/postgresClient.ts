import { createRequire } from "node:module";
import { Socket } from "node:net";
import type { Client, ClientConfig } from "pg";
import { ofDriver } from "./unavailable.js";

/**
 * How long a connection may stay without a byte, in milliseconds. Then the database is asked over another one whether it
 * works on what it was asked here: it may take longer, or wait for a lock. If it does not, the connection hangs and is
 * given up. Without this it would be waited for until the system gives it up, which takes hours.
 */
const SILENT_MS = 30_000;

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

    constructor(given?: string | ClientConfig) {
      const config = typeof given === "string" ? { connectionString: given } : given;
      const socket = new Socket();
      super({ ...config, keepAlive: true, stream: () => socket });
      const ask = (...asked: Parameters<Client["query"]>) => super.query(...asked);
      this.query = ofDriver(ask) as Client["query"];
      const look = async () => {
        const { bytesRead } = socket;
        const isAlive = await isAtWork(pg.Client, config, this.processID);
        if (isAlive || socket.bytesRead > bytesRead) socket.setTimeout(SILENT_MS);
        else socket.destroy(new Error(PROBLEM));
      };
      socket.setTimeout(SILENT_MS).on("timeout", () => void look());
    }
  };
}

const PROBLEM = `Connection terminated: the database has not answered for ${SILENT_MS / 1_000} s`;

async function isAtWork(
  Asking: typeof Client,
  config: ClientConfig | undefined,
  process: number | null,
): Promise<boolean> {
  const socket = new Socket();
  const limits = { connectionTimeoutMillis: ASKING_MS, query_timeout: ASKING_MS };
  const asking = new Asking({ ...config, ...limits, stream: () => socket });
  asking.on("error", () => undefined);
  try {
    await asking.connect();
    return (await asking.query(AT_WORK, [process])).rowCount === 1;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
