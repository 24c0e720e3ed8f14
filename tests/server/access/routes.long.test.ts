import { randomUUID } from "node:crypto";
import { writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { importTools } from "../../../home/libraries.js";
import { openWorkspace } from "../../../home/workspace.js";
import { openAccess } from "../../../server/access/access.js";
import { type Scope, SCOPES } from "../../../server/access/caller.js";
import { openKeys } from "../../../server/access/keys.js";
import { createApp } from "../../../server/app.js";
import { openRuns } from "../../../server/runs/runs.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { DEFAULT_SETTINGS } from "../../../server/server.js";
import { openTelemetry } from "../../../server/telemetry/telemetry.js";
import { type DataPlace, openStore } from "../../../storage/database.js";
import { inEachHome } from "../../fakes/homes.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { echoModel, importInto } from "../support.js";

/** What Ada owns: names of parameters, and what they stand for. */
type Ids = Record<(typeof NAMES)[number] | "library" | "name", string>;

const NAMES = [
  "thread_id",
  "run_id",
  "assistant_id",
  "checkpoint_id",
  "key_id",
  "cron_id",
] as const;

interface Row {
  /**
   * What another user gets who sends Ada's ids · `absent`: 404, in the words for an id that does not exist · `none`: an
   * answer without anything of Ada's · `taken`: 409, because ids are unique on a server · `admin`: 403, whatever the
   * id · `refused`: 422, because it answers nothing that this user has begun · `open`: what everybody gets, even without
   * a key
   */
  other: "absent" | "none" | "taken" | "admin" | "refused" | "open";
  /** What an administrator gets where that is no success. */
  admin?: number;
  query?: (ids: Ids) => Record<string, string>;
  body?: (ids: Ids) => unknown;
  /** Other values of the parameters in the path. */
  path?: () => Record<string, string>;
}

const HELLO = { messages: [{ role: "user", content: "hello" }] };
const { context: MODEL } = echoModel();
const RUN = { assistant_id: "base", input: HELLO, context: { ...TEST_LIBRARY, ...MODEL } };

const open: Row = { other: "open" };
const admin: Row = { other: "admin" };
const absent: Row = { other: "absent" };
const none: Row = { other: "none" };
const run: Row = { other: "absent", body: () => RUN };
const runWith: Row = {
  other: "absent",
  body: ({ assistant_id }) => ({ ...RUN, assistant_id }),
};
const inLibrary: Row = {
  other: "absent",
  query: ({ library }) => ({ library }),
  path: () => ({ tool: "greet" }),
};

/**
 * Every route of a server, and what another user gets there. An administrator gets whatever the owner would, except
 * where an id is taken. The administrator's requests are made in this order, so those that delete come last.
 */
const ROUTES: Record<string, Row> = {
  "GET /": open,
  "GET /ok": open,
  "GET /page.css": open,
  "GET /page.js": open,
  "GET /connected": open,
  "GET /info": none,
  "GET /docs": none,
  "GET /openapi.json": none,
  "GET /metrics": none,
  "GET /console/caller": none,
  "GET /console/choices": none,
  "GET /console/costs": none,
  "GET /console/keys": admin,
  "GET /console/library": inLibrary,
  "GET /console/runs": { other: "none", query: ({ thread_id }) => ({ thread: thread_id }) },
  "GET /console/runs/:run_id": absent,
  "GET /console/runs/:run_id/exchanges/:visit": { other: "absent", path: () => ({ visit: "1" }) },
  "GET /console/runs/:run_id/received/:name": absent,
  "GET /console/runs/:run_id/results/:ref": {
    other: "absent",
    admin: 404,
    path: () => ({ ref: "1" }),
  },
  "GET /console/search": {
    ...inLibrary,
    query: ({ library }) => ({ library, phrase: "greet" }),
  },
  "GET /console/tools": inLibrary,
  "GET /console/tools/:tool": inLibrary,
  "POST /console/keys": { other: "admin", body: () => ({ scopes: ["read"] }) },
  "POST /console/reviews": {
    other: "admin",
    admin: 409,
    body: ({ library }) => ({ library, verdict: "accept", tools: [{ tool: "greet", hash: "" }] }),
  },
  "POST /mcp": { ...inLibrary, admin: 415 },
  "GET /mcp": { ...inLibrary, admin: 406 },
  "DELETE /mcp": { ...inLibrary, admin: 400 },
  // Everybody has connections of their own alone.
  "GET /connections": none,
  "POST /connections/:source": { other: "absent", admin: 404 },
  "DELETE /connections/:source": { other: "absent", admin: 404 },
  "POST /connected": { other: "refused", admin: 422, body: () => ({ answer: "state=adas" }) },
  "POST /console/try": {
    other: "absent",
    body: ({ library }) => ({ library, tool: "greet", args: { person: "Bob" } }),
  },
  "POST /assistants": {
    other: "taken",
    admin: 409,
    body: ({ assistant_id }) => ({ assistant_id, graph_id: "base" }),
  },
  "POST /assistants/search": none,
  "POST /assistants/count": none,
  "GET /assistants/:assistant_id": absent,
  "GET /assistants/:assistant_id/graph": absent,
  "GET /assistants/:assistant_id/schemas": absent,
  "GET /assistants/:assistant_id/subgraphs/:namespace?": absent,
  "POST /assistants/:assistant_id/versions": absent,
  "POST /assistants/:assistant_id/latest": { other: "absent", body: () => ({ version: 1 }) },
  "PATCH /assistants/:assistant_id": { other: "absent", body: () => ({ name: "Another" }) },
  "POST /threads": { other: "taken", admin: 409, body: ({ thread_id }) => ({ thread_id }) },
  "POST /threads/search": { other: "none", body: ({ thread_id }) => ({ ids: [thread_id] }) },
  "POST /threads/count": { other: "none", body: ({ thread_id }) => ({ ids: [thread_id] }) },
  "POST /threads/prune": {
    other: "absent",
    body: ({ thread_id }) => ({ thread_ids: [thread_id], strategy: "keep_latest" }),
  },
  "POST /threads/:thread_id/commands": {
    other: "absent",
    body: () => ({ id: 1, method: "state.get" }),
  },
  "POST /threads/:thread_id/stream/events": {
    other: "absent",
    body: () => ({ channels: ["values"] }),
  },
  "GET /threads/:thread_id/stream": absent,
  "GET /threads/:thread_id/storage": absent,
  // A WebSocket; what it reads and does is looked at for each command.
  "GET /threads/:thread_id/stream/events": { other: "absent", admin: 404 },
  // Everybody has a store of their own alone.
  "PUT /store/items": {
    other: "none",
    body: () => ({ namespace: ["mine"], key: "a", value: { b: 1 } }),
  },
  "GET /store/items": { other: "none", query: () => ({ namespace: "notes", key: "a" }) },
  "DELETE /store/items": { other: "none", body: () => ({ namespace: ["notes"], key: "a" }) },
  "POST /store/items/search": none,
  "POST /store/namespaces": none,
  "POST /runs/crons": {
    other: "absent",
    body: ({ assistant_id }) => ({ ...RUN, assistant_id, schedule: "0 0 1 1 *" }),
  },
  "POST /threads/:thread_id/runs/crons": {
    other: "absent",
    body: () => ({ ...RUN, schedule: "0 0 1 1 *" }),
  },
  "POST /runs/crons/search": none,
  "POST /runs/crons/count": none,
  "GET /runs/crons/:cron_id": absent,
  "PATCH /runs/crons/:cron_id": { other: "absent", body: () => ({ enabled: false }) },
  "DELETE /runs/crons/:cron_id": absent,
  "GET /threads/:thread_id": absent,
  "PATCH /threads/:thread_id": { other: "absent", body: () => ({ metadata: { a: 1 } }) },
  "PATCH /threads/:thread_id/state": { other: "absent", body: () => ({ metadata: { a: 2 } }) },
  "GET /threads/:thread_id/changes": absent,
  "POST /threads/:thread_id/undo": { other: "absent", admin: 409, body: () => ({}) },
  "GET /threads/:thread_id/state": absent,
  "GET /threads/:thread_id/state/:checkpoint_id": absent,
  "POST /threads/:thread_id/state/checkpoint": {
    other: "absent",
    body: ({ checkpoint_id }) => ({ checkpoint: { checkpoint_id } }),
  },
  "GET /threads/:thread_id/history": absent,
  "POST /threads/:thread_id/history": absent,
  "POST /threads/:thread_id/state": {
    other: "admin",
    body: () => ({ values: { answer: "changed" }, as_node: "respond" }),
  },
  "POST /threads/:thread_id/copy": absent,
  "GET /threads/:thread_id/runs": absent,
  "GET /threads/:thread_id/runs/:run_id": absent,
  "GET /threads/:thread_id/runs/:run_id/join": absent,
  "GET /threads/:thread_id/runs/:run_id/stream": absent,
  "POST /threads/:thread_id/runs/:run_id/cancel": absent,
  "POST /threads/:thread_id/runs/stream": run,
  "POST /threads/:thread_id/runs/wait": run,
  "GET /runs/:run_id": absent,
  "GET /runs/:run_id/stream": absent,
  "POST /runs/:run_id/cancel": absent,
  "POST /runs/cancel": { other: "none", body: ({ run_id }) => ({ run_ids: [run_id] }) },
  "GET /runs/:run_id/join": absent,
  "POST /runs": runWith,
  "POST /runs/batch": {
    other: "absent",
    body: ({ assistant_id }) => [{ ...RUN, assistant_id }],
  },
  "POST /runs/stream": runWith,
  "POST /runs/wait": runWith,
  "DELETE /threads/:thread_id/runs/:run_id": absent,
  // It is gone by then.
  "DELETE /runs/:run_id": { other: "absent", admin: 404 },
  "POST /threads/:thread_id/runs": run,
  "DELETE /threads/:thread_id": absent,
  "DELETE /assistants/:assistant_id": absent,
  "DELETE /console/keys/:key_id": admin,
};

/** The app of a server that asks for keys, with its database. */
async function openApp(place: DataPlace) {
  // The page's searches read the library as it was made, and no encoder has to be loaded.
  vi.stubEnv("TULIPGRAPH_EMBEDDINGS", TEST_LIBRARY.embeddings);
  const policyFile = join(place.home, "serve.json");
  const policy = { libraries: { shared: ["test"] }, budgets: { runs: 50 } };
  writeFileSync(policyFile, JSON.stringify({ authentication: "on", ...policy }));
  const settings = { ...DEFAULT_SETTINGS, place, policyFile };
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  const access = openAccess(settings, data);
  const workspace = openWorkspace({ home: place.home, database: place.url });
  const telemetry = await openTelemetry({ data });
  const runs = openRuns({ settings, workspace, data, access, telemetry });
  onTestFinished(async () => {
    await runs.close();
    await telemetry.close();
    await workspace.close();
    await data.close();
  });
  const database = { check: async () => true, isAway: () => false, name: place.home };
  const app = createApp({ workspace, data, access, telemetry, database, runs });
  const store = workspace.store;
  await importInto(place);
  const library = { ...TEST_LIBRARY, library: "ada.notes" };
  await importTools({ store, settings: library, file: resolve("tests/fixtures/library/tools.ts") });
  const { journal } = workspace.runtime;
  return { app, data, keys: openKeys(data), journal };
}

/** Whoever sends requests with a key. */
function as({ app }: Awaited<ReturnType<typeof openApp>>, secret?: string) {
  return async (method: string, path: string, body?: unknown) => {
    const answer = await app.request(`http://localhost${path}`, {
      method,
      headers: secret === undefined ? {} : { "x-api-key": secret },
      ...(method === "GET" ? {} : { body: JSON.stringify(body ?? {}) }),
    });
    // The events of a thread have no end.
    const isEndless = answer.status === 200 && /\/threads\/[^/]+\/stream/.test(path);
    if (isEndless) await answer.body?.cancel();
    return { status: answer.status, text: isEndless ? "" : await answer.text() };
  };
}

type Ask = ReturnType<typeof as>;

/** Sends the request of a row. */
async function send(ask: Ask, route: string, ids: Ids) {
  const { query, body, path: own } = ROUTES[route] ?? {};
  const [method = "", form = ""] = route.split(" ");
  const values: Record<string, string> = { ...ids, ...own?.() };
  const path = form.replaceAll(/:(\w+)(\??)/g, (_, name: string, optional: string) =>
    optional ? "" : (values[name] ?? name),
  );
  const search = query ? `?${new URLSearchParams(query(ids)).toString()}` : "";
  return await ask(method, path.replace(/\/$/, "") + search || "/", body?.(ids));
}

/** What Ada owns: a thread with a run and a file, an assistant, a key and a library. */
async function ofAda(server: Awaited<ReturnType<typeof openApp>>): Promise<Ids> {
  const { keys, journal } = server;
  const { secret, key } = await keys.create({ scopes: ["run", "read"], owner: "ada" });
  const ask = as(server, secret);
  const made = async (path: string, body: unknown) => {
    const { text } = await ask("POST", path, body);
    return JSON.parse(text) as Record<string, string>;
  };
  const { assistant_id = "" } = await made("/assistants", { graph_id: "base", name: "Adas" });
  const cron = { ...RUN, assistant_id, schedule: "0 0 1 1 *", metadata: { of: "Adas" } };
  const { cron_id = "" } = await made("/runs/crons", cron);
  const note = { namespace: ["notes"], key: "a", value: { of: "Adas" } };
  await ask("PUT", "/store/items", note);
  const { thread_id = "" } = await made("/threads", { metadata: { of: "Adas" } });
  const { run_id = "" } = await made(`/threads/${thread_id}/runs`, RUN);
  await ask("GET", `/runs/${run_id}/join`);
  const state = await ask("GET", `/threads/${thread_id}/state`);
  const { checkpoint } = JSON.parse(state.text) as { checkpoint: { checkpoint_id: string } };
  const call = { callId: "1", tool: "scan", args: {}, effects: "read" as const };
  await journal.begin({ threadId: thread_id, ...call });
  const file = { threadId: thread_id, data: Buffer.from("Adas"), mimeType: "image/png" };
  const name = basename(String(await journal.keepFile(file)));
  return {
    thread_id,
    run_id,
    assistant_id,
    cron_id,
    name,
    library: "ada.notes",
    key_id: key.id,
    checkpoint_id: checkpoint.checkpoint_id,
  };
}

/** Ids of which there is nothing. */
function ofNobody(): Ids {
  const ids = Object.fromEntries(NAMES.map((name) => [name, randomUUID()]));
  return { ...ids, library: "ada.nothing", name: "nothing.png" } as Ids;
}

/** An answer with names in place of the ids. */
function withNames(text: string, ids: Ids): string {
  return Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(id, name), text);
}

inEachHome("the routes of a server", (newPlace) => {
  it("show another user nothing of what somebody owns, and an administrator all of it", async () => {
    const server = await openApp(await newPlace());
    const { app, data, keys } = server;
    const known = app.routes.filter(({ method }) => method !== "ALL");
    const routes = [...new Set(known.map(({ method, path }) => `${method} ${path}`))];
    // A new route needs a row that says what another user gets there.
    expect(Object.keys(ROUTES).toSorted()).toEqual(routes.toSorted());

    const ids = await ofAda(server);
    const asKey = async (owner: string, scopes: readonly Scope[]) =>
      as(server, (await keys.create({ scopes, owner })).secret);
    const bob = await asKey("bob", SCOPES.slice(0, 3));
    const root = await asKey("root", ["admin"]);
    const rows = async () => [
      await data.db.selectFrom("threads").selectAll().execute(),
      await data.db.selectFrom("runs").selectAll().execute(),
      await data.db.selectFrom("assistants").selectAll().execute(),
    ];
    const before = await rows();
    const statuses = { absent: 404, none: 200, taken: 409, admin: 403, refused: 422, open: 200 };
    for (const [route, { other }] of Object.entries(ROUTES)) {
      const { status, text } = await send(bob, route, ids);
      const isDone = other === "none" && status === 204;
      expect({ route, status }).toEqual({ route, status: isDone ? 204 : statuses[other] });
      const isBare = withNames(text, ids) === text && !/Adas|hello/.test(text);
      expect({ route, tells: other === "none" && !isBare }).toEqual({ route, tells: false });
      if (other !== "absent") continue;
      const nobodys = ofNobody();
      const nothing = await send(bob, route, nobodys);
      expect({ route, text: withNames(text, ids) }).toEqual({
        route,
        text: withNames(nothing.text, nobodys),
      });
    }
    expect(await rows()).toEqual(before);

    const guest = as(server);
    for (const [route, { other }] of Object.entries(ROUTES)) {
      const { status } = await send(guest, route, ids);
      // After many tries, a guest is asked to wait.
      const isRefused = status === 401 || status === 429;
      expect({ route, isRefused }).toEqual({ route, isRefused: other !== "open" });
    }
    for (const [route, { admin: wanted }] of Object.entries(ROUTES)) {
      const { status, text } = await send(root, route, ids);
      const isRight = wanted === undefined ? status < 300 : status === wanted;
      const told = { route, status, text: isRight ? "" : text };
      expect({ ...told, isRight }).toEqual({ route, status, text: "", isRight: true });
    }
  });

  it("give an administrator's run to the owner of its thread", async () => {
    const server = await openApp(await newPlace());
    const { thread_id } = await ofAda(server);
    const asKey = async (owner: string, scopes: readonly Scope[]) =>
      as(server, (await server.keys.create({ scopes, owner })).secret);
    const root = await asKey("root", ["admin"]);
    const made = await root("POST", `/threads/${thread_id}/runs`, RUN);
    const { run_id } = JSON.parse(made.text) as { run_id: string };
    const colleague = await asKey("root", ["read"]);
    const ada = await asKey("ada", ["read"]);
    expect((await colleague("GET", `/runs/${run_id}/join`)).status).toBe(404);
    expect((await ada("GET", `/runs/${run_id}/join`)).status).toBe(200);
  });

  it("name no libraries of others to somebody whose own does not exist", async () => {
    const server = await openApp(await newPlace());
    const { secret } = await server.keys.create({ scopes: ["run", "read"], owner: "bob" });
    const bob = as(server, secret);
    const context = { ...RUN.context, library: "bob.none" };
    for (const { status, text } of [
      await bob("GET", "/console/library?library=bob.none"),
      await bob("POST", "/runs/wait", { ...RUN, context }),
    ]) {
      expect(status).toBe(404);
      expect(text).toContain('there is no library \\"bob.none\\"');
      expect(text).not.toContain("ada");
    }
  });
});
