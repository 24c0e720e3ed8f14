import { writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { serve } from "@hono/node-server";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { type Access, openAccess } from "../../../server/access/access.js";
import { refuseWhole } from "../../../server/access/guard.js";
import { type Keys, openKeys } from "../../../server/access/keys.js";
import { HttpProblem } from "../../../server/problem.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import type { Environment } from "../../../server/server.js";
import { type DataPlace, type Store, openStore } from "../../../storage/database.js";
import { newHome } from "../../fakes/homes.js";

/** A server's access, with its database. */
export interface OpenAccess {
  access: Access;
  keys: Keys;
  data: Store<ServerTables>;
  place: DataPlace;
}

/** Opens the access of a server until the end of the test. */
export function accessOf(
  options: { policy?: object; host?: string; place?: DataPlace } = {},
): OpenAccess {
  const { policy, host = "127.0.0.1", place = { home: newHome() } } = options;
  const policyFile = policy && join(place.home, "serve.json");
  if (policyFile) writeFileSync(policyFile, JSON.stringify(policy));
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  onTestFinished(() => data.close());
  const settings = { place, host, port: 0, concurrency: 1, leaseSeconds: 30, policyFile };
  return { access: openAccess(settings, data), keys: openKeys(data), data, place };
}

/** A server that only checks access: every path answers with the caller and the length of the body. */
export async function listenWith({ access }: Pick<OpenAccess, "access">): Promise<string> {
  const app = new Hono<Environment>();
  app.onError((error, context) => {
    if (!(error instanceof HttpProblem)) throw error;
    const { status, retryAfter } = error.details;
    if (retryAfter !== undefined) context.header("Retry-After", String(retryAfter));
    return context.json({ message: error.message, refused: context.get("refused") }, status);
  });
  app.use(refuseWhole, access.guard, access.authenticate);
  app.all("/*", async (context) => {
    const { owner, id, scopes } = context.get("caller");
    return context.json({ owner, id, scopes, length: (await context.req.text()).length });
  });
  const server = serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 });
  await new Promise<void>((done) => server.once("listening", done));
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
