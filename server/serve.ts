import type { AddressInfo } from "node:net";
import { serve as listen } from "@hono/node-server";
import { openStore } from "../storage/database.js";
import { openWorkspace } from "../workspace/workspace.js";
import { openAccess } from "./access/access.js";
import { createApp } from "./app.js";
import { SERVER_MIGRATIONS, type ServerTables } from "./schema.js";
import type { ServerSettings } from "./settings.js";
import { openTelemetry } from "./telemetry/telemetry.js";

/** A server that listens. */
export interface RunningServer {
  url: string;
  /** Takes nothing new, lets what runs come to its next checkpoint, and ends. */
  close: () => Promise<void>;
}

/**
 * Starts a server.
 *
 * @example
 * const { url, close } = await startServer({ place: { home: "data" }, host: "127.0.0.1", port: 0, concurrency: 8, leaseSeconds: 30 });
 */
export async function startServer(settings: ServerSettings): Promise<RunningServer> {
  const workspace = openWorkspace({ home: settings.place.home });
  const data = openStore<ServerTables>({
    place: settings.place,
    store: "server",
    migrations: SERVER_MIGRATIONS,
  });
  const access = openAccess({ settings, data });
  const telemetry = await openTelemetry({ data });
  const app = createApp({ settings, workspace, data, access, telemetry });
  const { host: hostname, port } = settings;
  const listening = await new Promise<{ server: ReturnType<typeof listen>; info: AddressInfo }>(
    (done, failed) => {
      const server = listen({ fetch: app.fetch, hostname, port }, (info) => done({ server, info }));
      server.once("error", failed);
    },
  );
  return {
    url: `http://${hostname}:${listening.info.port}`,
    close: async () => {
      await new Promise((done) => listening.server.close(done));
      await telemetry.close();
      await data.close();
      await workspace.close();
    },
  };
}
