import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { serve as listen } from "@hono/node-server";
import type { Hono } from "hono";
import { WebSocketServer } from "ws";
import { InvalidSetting } from "../common/errors.js";
import { databaseName, isAway } from "../storage/postgres/unavailable.js";
import { type DataPlace, openStore } from "../storage/database.js";
import { borrowPool } from "../storage/postgres/postgresPool.js";
import { graphNames } from "../graphs/ownGraphs.js";
import { loadExport } from "../graphs/projects.js";
import { openWorkspace } from "../home/workspace.js";
import { openAccess } from "./access/access.js";
import { openProjectAuth } from "./access/projectAuth.js";
import { nameOwners } from "./access/owners.js";
import { startCrons } from "./api/dueCrons.js";
import { createApp } from "./app.js";
import { openRuns } from "./runs/runs.js";
import { SERVER_MIGRATIONS, type ServerTables } from "./schema.js";
import type { Availability, ServerSettings } from "./server.js";
import { openTelemetry } from "./telemetry/telemetry.js";

/** How long answers may take that are being sent while a server closes, in milliseconds. */
const SENDING_MS = 1_000;

/** How often a database that is away at the start is retried, in milliseconds. */
const RETRY_MS = 500;

/** A server that listens. */
export type RunningServer = Awaited<ReturnType<typeof startServer>>;

/**
 * Starts a server, and waits for its database if that is away.
 *
 * @param onWaiting called with the database's name if it has to be waited for
 * @throws InvalidSetting if the address cannot be used, or the operator's file is unusable
 * @throws StorageFailed if the data were written by a newer version
 * @example
 * const { url, close } = await startServer({ place: { home: "data" }, host: "127.0.0.1", port: 0, concurrency: 8, leaseSeconds: 30 });
 */
export async function startServer(
  settings: ServerSettings,
  onWaiting: (database: string) => void = () => undefined,
) {
  const { home, url } = settings.place;
  const data = openStore<ServerTables>({
    place: settings.place,
    store: "server",
    migrations: SERVER_MIGRATIONS,
  });
  // First, so that a mistake in the operator's file is reported before anything is opened.
  const project = settings.auth && (await openProjectAuth(settings.auth));
  const access = openAccess(settings, data, project);
  const database = watchDatabase(settings.place);
  for (let isTold = false; !(await database.check()); isTold = true) {
    if (!isTold) onWaiting(database.name);
    await sleep(RETRY_MS);
  }
  const workspace = openWorkspace({
    home,
    database: url,
    // A process that died loses its threads at the same time as its runs.
    leaseMs: settings.leaseSeconds * 1_000,
  });
  let listening: Awaited<ReturnType<typeof listenOn>> | undefined;
  const ends: (() => unknown)[] = [workspace.close, data.close, database.end];
  const end = async () => {
    for (const each of ends.toReversed()) await each();
  };
  try {
    // The first query brings the schema up to date, before anybody is served.
    await data.db.selectFrom("runs").select("run_id").limit(1).execute();
    const connections = await workspace.connections();
    // With a new master key, everything is sealed with it before the old one may be taken away.
    await connections.sealAnew();
    await nameOwners(data, connections, access.policy.jwt?.issuer);
    const telemetry = await openTelemetry({ data });
    ends.push(telemetry.close);
    const own = settings.app && ((await loadExport(settings.app)) as Hono);
    const runs = openRuns({ settings, workspace, data, access, telemetry, own });
    ends.push(async () => await listening?.end(), runs.close);
    const notices = await access.notices();
    const { ui } = settings;
    const server = { workspace, data, access, telemetry, database, runs, own, ui };
    listening = await listenOn(createApp(server).fetch, access.policy.bodyBytes, settings);
    ends.push(listening.stop, startCrons(server));
    return {
      url: listening.url,
      /** The graphs that may be run. */
      graphs: graphNames().filter(access.allowsGraph),
      /** What the person who starts it should know, one line each. */
      notices,
      /** Takes nothing new, lets runs reach their next checkpoint, and ends. */
      close: end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

async function listenOn(
  fetch: Parameters<typeof listen>[0]["fetch"],
  maxPayload: number,
  { host: hostname, port }: ServerSettings,
) {
  const websocket = { server: new WebSocketServer({ noServer: true, maxPayload }) };
  const listening = await new Promise<{ server: ReturnType<typeof listen>; port: number }>(
    (done, failed) => {
      const made = listen({ fetch, hostname, port, websocket }, (info: AddressInfo) =>
        done({ server: made, port: info.port }),
      );
      made.once("error", (error) => failed(unusable(hostname, port, error)));
    },
  );
  const { server: http } = listening;
  const shown = hostname.includes(":") ? `[${hostname}]` : hostname;
  const closed = new Promise<void>((done) => http.once("close", () => done()));
  return {
    url: `http://${shown}:${listening.port}`,
    /** Takes no more connections. */
    stop: () => void http.close(),
    /**
     * Whoever waits for a run that has ended gets its answer. Then streams of runs that other processes go on with are cut;
     * clients can join them there.
     */
    end: async () => {
      await Promise.race([closed, sleep(SENDING_MS, undefined, { ref: false })]);
      websocket.server.clients.forEach((client) => client.terminate());
      if ("closeAllConnections" in http) http.closeAllConnections();
      await closed;
    },
  };
}

function unusable(hostname: string, port: number, error: Error): Error {
  const code = "code" in error ? error.code : error.message;
  if (code === "EADDRINUSE")
    return new InvalidSetting({
      setting: "port",
      problem: `${port} on ${hostname} is taken by another program`,
      hint: "Choose another with --port, or 0 for any free one",
    });
  return new InvalidSetting({
    setting: "host",
    problem: `${hostname}:${port} cannot be used (${String(code)})`,
    hint: "Choose an address of this machine with --host, and a port above 1023",
  });
}

/** How often the database is asked whether it is there, and how long it may take to answer, in milliseconds. */
const CHECK_MS = 1_000;
const ANSWER_MS = 3_000;

/**
 * Watches a database, so that requests are refused at once while it is away; queries wait until it is back. SQLite can
 * always be reached.
 */
function watchDatabase({ home, url }: DataPlace): Availability & { end: () => void } {
  if (url === undefined)
    return { check: async () => true, isAway: () => false, name: home, end: () => undefined };
  const { pool, end } = borrowPool(url);
  let isGone = false;
  const check = async () => {
    const asked = pool.query("SELECT 1").then(
      () => true,
      (error: unknown) => !isAway(error),
    );
    isGone = !(await Promise.race([asked, sleep(ANSWER_MS, false, { ref: false })]));
    return !isGone;
  };
  const over = new AbortController();
  const watch = async () => {
    while (!over.signal.aborted) {
      await check();
      await sleep(CHECK_MS, undefined, { ref: false });
    }
  };
  void watch();
  return {
    check,
    isAway: () => isGone,
    name: databaseName(url),
    end: () => {
      over.abort();
      void end();
    },
  };
}
