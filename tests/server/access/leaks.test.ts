import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { Client as Database } from "pg";
import { expect, it, vi } from "vitest";
import type { DataPlace } from "../../../storage/database.js";
import { run } from "../../cli/support.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { startCollector } from "../telemetry/collector.js";
import { all } from "../support.js";
import { serveLogins, serveTeam } from "./sources.js";
import { type User, agreed, answer, calling, gone, send, waiting } from "./users.js";

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

/** The places in which one of some texts is. */
function placesOf(texts: readonly string[], places: Readonly<Record<string, string>>): string[] {
  const isIn = (place: string) => texts.some((text) => place.includes(text));
  return Object.keys(places).filter((name) => isIn(places[name] ?? ""));
}
