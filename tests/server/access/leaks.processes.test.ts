import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client as Database } from "pg";
import { expect, it, onTestFinished, vi } from "vitest";
import { syncConnected } from "../../../home/connectedSources.js";
import { importTools } from "../../../home/libraries.js";
import { type Workspace, openWorkspace } from "../../../home/workspace.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import { parseSettings } from "../../../state/settings.js";
import { type DataPlace, openStore } from "../../../storage/database.js";
import { listOpenApi } from "../../../tools/sources/openapi/listOpenApi.js";
import { readAuth } from "../../../tools/sources/openapi/settings.js";
import { run } from "../../cli/support.js";
import { type EndpointReply, startChatEndpoint } from "../../fakes/chatEndpoint.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { type Question, scriptedModel } from "../../fakes/scriptedModel.js";
import { EMBEDDINGS, importOffice } from "../../tools/sources/mcp/support.js";
import { startServer } from "../../tools/sources/openapi/apiServer.js";
import { startCollector } from "../telemetry/collector.js";
import { all } from "../support.js";
import { serveLogins, serveTeam } from "./sources.js";
import { type User, agreed, answer, calling, gone, send, serveUsers, waiting } from "./users.js";

/** All files of a folder, as text. */
function filesIn(folder: string): string {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");
}

/** Everything that a home has stored, as text. */
async function storedIn({ home, url }: DataPlace): Promise<string> {
  const files = filesIn(home);
  if (url === undefined) return files;
  const database = new Database({ connectionString: url });
  await database.connect();
  const tables = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname LIKE 'tulipgraph%'`,
  );
  const rows: string[] = [];
  for (const { name } of tables.rows) {
    const found = await database.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
    // Bytes are shown in hexadecimal.
    for (const { row } of found.rows)
      rows.push(row, ...[...row.matchAll(/\\x([0-9a-f]+)/g)].map(([, hex = ""]) => plain(hex)));
  }
  await database.end();
  return [files, ...rows].join("\n");
}

function plain(hex: string): string {
  return Buffer.from(hex, "hex").toString("latin1");
}

/** What leaves a server: traces with all contents, metrics, and its log. */
async function watch() {
  const log: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((part) => log.push(String(part)) > 0);
  const { url, received } = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", url);
  vi.stubEnv("OTEL_BSP_SCHEDULE_DELAY", "50");
  vi.stubEnv("OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT", "true");
  const traces = () => received.map(({ path, body }) => `${path} ${body}`).join("\n");
  return { log, traces };
}

/** All that a user is told of a thread. */
async function told({ client, send }: User, thread: string): Promise<string> {
  const runs = await client.runs.list(thread);
  const streams = runs.map(({ run_id }) =>
    all(client.runs.joinStream(thread, run_id, { lastEventId: "-1" })),
  );
  const listed = ["/connections", "/metrics"].map(async (path) => (await send("GET", path)).text());
  return JSON.stringify([
    await client.threads.getHistory(thread),
    runs,
    await Promise.all(streams),
    await Promise.all(listed),
  ]);
}

/** What is exported of the runs of a home: recordings, and an evaluation that makes them again. */
async function exported({ home, url }: DataPlace): Promise<string> {
  vi.stubEnv("TULIPGRAPH_HOME", home);
  vi.stubEnv("TULIPGRAPH_DATABASE_URL", url);
  const out = newHome();
  const file = join(out, "runs.jsonl");
  const printed = [
    await run("eval", "from-threads", "--library", "team", "--out", file),
    await run("eval", "run", "--replay", "--tasks", file, "--out", join(out, "eval")),
    await run("tools", "list", "--library", "team", "--json"),
  ];
  expect(printed.map(({ code }) => code)).toEqual([0, 0, 0]);
  return [JSON.stringify(printed), filesIn(out)].join("\n");
}

inEachHome("the key of a user", (newPlace) => {
  it("is in nothing that is stored, told, traced or exported, in results and errors neither", async () => {
    const { log, traces } = await watch();
    const team = await serveTeam(await newPlace());
    const ada = await waiting(team, "ada", "secret");
    const connected = await ada.user.connect("office", { OFFICE_KEY: "ada-secret-1" });
    expect(await gone(ada.user, connected)).toEqual(["your key is ***"]);
    const wrong = await ada.user.connect("shop", { OTHER: "ada-secret-1" });
    expect(wrong).toMatchObject({ status: 422, message: expect.stringContaining("SHOP_KEY") });
    const refused = await ada.user.ask(ada.thread_id, calling("refuse"));
    expect(answer(refused)).toContain("<Authorization> is not enough");
    await vi.waitFor(() => expect(traces()).toContain("<Authorization> is not enough"), {
      timeout: 60_000,
    });
    const calls = await team.journal.calls(ada.thread_id);
    const shown = [wrong, log, calls, await told(ada.user, ada.thread_id)];
    const places = {
      stored: await storedIn(team.place),
      shown: JSON.stringify(shown),
      traces: traces(),
      exported: await exported(team.place),
    };
    const secrets = ["ada-secret-1", ada.user.token];
    expect(placesOf(["your key is ***"], places)).toEqual(Object.keys(places));
    expect(placesOf(secrets, places)).toEqual([]);
  });
});

inEachHome("the tokens of a login", (newPlace) => {
  it("are in nothing that is stored, told or traced", async () => {
    const { log, traces } = await watch();
    const team = await serveLogins(await newPlace());
    const { user, thread_id } = await waiting(team, "ada", "warmth", { place: "Rome" });
    const { open } = await user.connect("weather");
    const answers = await gone(user, await send(user, await agreed(open)));
    expect(answers).toEqual([expect.stringContaining("21")]);
    await vi.waitFor(() => expect(traces()).toContain("warmth"), { timeout: 60_000 });
    const shown = JSON.stringify([open, log, await told(user, thread_id)]);
    const places = { stored: await storedIn(team.place), shown, traces: traces() };
    expect(placesOf(["warmth"], places)).toEqual(Object.keys(places));
    expect(placesOf(team.weather.given, places)).toEqual([]);
  });
});

/** Everything that our side tells of a run: its end, its stream, its history, and what its models were asked. */
async function shownOf(user: User, team: DataPlace, thread: string): Promise<string> {
  const data = openStore<ServerTables>({
    place: team,
    store: "server",
    migrations: SERVER_MIGRATIONS,
  });
  const visits = await data.db.selectFrom("exchanges").select(["run_id", "visit"]).execute();
  await data.close();
  const paths = visits.flatMap(({ run_id, visit }) => [
    `/console/runs/${run_id}`,
    `/console/runs/${run_id}/exchanges/${visit}`,
  ]);
  const answers = paths.map(async (path) => (await user.send("GET", path)).text());
  return [await told(user, thread), ...(await Promise.all(answers))].join("\n");
}

/** A secret in the forms in which others may repeat it. */
const formsOf = (secret: string) => [
  secret,
  encodeURIComponent(secret),
  Buffer.from(secret).toString("base64").slice(0, 16),
];

/** Repeats what it was sent, as it came and encoded. */
const echo = (text: string) =>
  `${text} ${encodeURIComponent(text)} ${Buffer.from(text).toString("base64")}`;

const echoed = ({ headers, url }: { headers: object; url?: string }) =>
  echo(JSON.stringify({ ...headers, url }));

const MODEL_KEY = "m0del/k+y%canary";

/** What a model's endpoint may answer that repeats the key with which it was asked. */
const REPLIES: [what: string, reply: (sent: string, key: string) => EndpointReply][] = [
  ["refuses it", (sent) => ({ status: 401, body: { error: { message: sent } } })],
  ["does not like the request", (sent) => ({ status: 400, body: { error: { message: sent } } })],
  ["does not speak JSON", (sent) => ({ status: 422, body: sent })],
  ["redirects", (sent, key) => ({ status: 302, body: sent, headers: { location: `/?k=${key}` } })],
  ["answers with it", (sent) => ({ content: sent })],
  ["calls a tool with it", (sent) => ({ calls: [{ name: "office_note", arguments: { sent } }] })],
  ["calls a tool of that name", (_, key) => ({ calls: [{ name: key, arguments: {} }] })],
];

inEachHome("the server's key of a model", (newPlace) => {
  it.each(REPLIES)("is nowhere where an endpoint that %s repeats it", async (_what, reply) => {
    const { log, traces } = await watch();
    const endpoint = await startChatEndpoint(({ headers, path }, at) =>
      at === 0 ? reply(echoed({ headers, url: path }), MODEL_KEY) : { content: "Done." },
    );
    onTestFinished(() => endpoint.close());
    vi.stubEnv("OPENAI_BASE_URL", endpoint.url);
    vi.stubEnv("OPENAI_API_KEY", MODEL_KEY);
    const team = await serveTeam(await newPlace());
    const user = await team.as("ada");
    const { thread_id } = await user.client.threads.create();
    await user.ask(thread_id, "openai:any").catch(() => undefined);
    expect(endpoint.requests[0]?.headers.authorization).toBe(`Bearer ${MODEL_KEY}`);
    await vi.waitFor(() => expect(traces()).toContain("openai"), { timeout: 60_000 });
    const shown = await shownOf(user, team.place, thread_id);
    const stored = await storedIn(team.place);
    const places = { stored, shown, log: log.join("\n"), traces: traces() };
    expect(shown).toContain("openai:any");
    expect(placesOf(formsOf(MODEL_KEY), places)).toEqual([]);
  });
});

const SHARED = ["0ffice/k+y%canary", "sh0p/k+y%canary", "l@b/s+cret%canary", "d@ta/pass+canary"];
const [OFFICE = "", SHOP = "", LAB = "", DATABASE = ""] = SHARED;

const operation = (operationId: string) => ({
  get: { operationId, summary: "Echo", responses: { 200: { description: "Done" } } },
});

/** An API that repeats its credentials in results, errors and addresses. */
async function echoingApi(place: DataPlace, workspace: Workspace) {
  const { url } = await startServer((request) => {
    const { pathname } = new URL(request.url, "http://here");
    const body = { said: echoed(request), detail: echoed(request), text: request.url };
    if (pathname === "/moved")
      return { status: 302, headers: { location: `http://k.test/${SHOP}` } };
    return { status: pathname === "/refused" ? 403 : 200, body };
  });
  const document = join(place.home, "echo.json");
  const key = { type: "apiKey", in: "query", name: "key" };
  const shop = {
    openapi: "3.0.3",
    info: { title: "Echo", version: "1" },
    servers: [{ url }],
    components: { securitySchemes: { key } },
    security: [{ key: [] }],
    paths: {
      "/told": operation("told"),
      "/refused": operation("refused"),
      "/moved": operation("moved"),
    },
  };
  writeFileSync(document, JSON.stringify(shop));
  const listing = await listOpenApi({ name: "echo", document });
  const settings = { document, auth: readAuth(["key=$ECHO_KEY"], listing.schemes) };
  const source = { name: "echo", kind: "openapi" as const, settings };
  const team = parseSettings({ library: "team", embeddings: EMBEDDINGS });
  await syncConnected({ store: workspace.store, settings: team, source, listing });
}

const repeat = ({ messages }: Question) => ({ stop: messages.map(({ text }) => text).join() });

/** Functions that fail with a secret of the environment. */
const FAILING = `
/** Fail.
 * @effects read */
export function fail(): never {
  throw new Error("no access with " + process.env.LAB_SECRET);
}
`;

inEachHome("credentials that all share", (newPlace) => {
  it("are nowhere where those who get them repeat them, and neither is the database's password", async () => {
    const { log, traces } = await watch();
    const made = await newPlace();
    const place = { ...made, ...(made.url && { url: withPassword(made.url, DATABASE) }) };
    const workspace = openWorkspace({ home: place.home, database: place.url });
    onTestFinished(() => workspace.close());
    vi.stubEnv("LAB_SECRET", LAB);
    vi.stubEnv("ECHO_KEY", SHOP);
    await importOffice(workspace, new Map([[OFFICE, "office"]]), { credentials: "shared" });
    vi.stubEnv("OFFICE_KEY", OFFICE);
    await echoingApi(place, workspace);
    const file = join(place.home, "lab.ts");
    writeFileSync(file, FAILING);
    const team = parseSettings({ library: "team", embeddings: EMBEDDINGS });
    await importTools({ store: workspace.store, settings: team, file, description: "x" });
    const users = await serveUsers(place);
    const user = await users.as("ada");
    const { thread_id } = await user.client.threads.create();
    const names = ["secret", "refuse", "told", "refused", "moved", "fail"];
    const calls = names.map((name) => ({ name, args: {} }));
    const model = scriptedModel((question, at) => (at === 0 ? { calls } : repeat(question)));
    const values = await user.ask(thread_id, model.spec);
    expect(Object(values).calls).toHaveLength(calls.length);
    await vi.waitFor(() => expect(traces()).toContain("your key is"), { timeout: 60_000 });
    const shown = await shownOf(user, place, thread_id);
    const journal = JSON.stringify(await workspace.runtime.journal.calls(thread_id));
    const stored = await storedIn(place);
    const places = { stored, journal, shown, log: log.join("\n"), traces: traces() };
    expect(placesOf(["your key is"], places)).toEqual(["stored", "journal", "shown", "traces"]);
    expect(placesOf(SHARED.flatMap(formsOf), places)).toEqual([]);
  });
});

function withPassword(url: string, password: string): string {
  const address = new URL(url);
  address.password = password;
  return address.href;
}

/** The places in which one of some texts is. */
function placesOf(texts: readonly string[], places: Readonly<Record<string, string>>): string[] {
  const isIn = (place: string) => texts.some((text) => place.includes(text));
  return Object.keys(places).filter((name) => isIn(places[name] ?? ""));
}
