import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it, vi } from "vitest";
import { closeWorkspaces } from "../../../home/workspace.js";
import { startServer } from "../../tools/sources/openapi/apiServer.js";
import { run, temporaryFolder } from "../support.js";

const SECRET = "correct-horse-battery";

const REQUEST = "Get the weather in Berlin.";

let folder: string;

beforeEach(async () => {
  folder = temporaryFolder();
  vi.stubEnv("TULIPGRAPH_HOME", join(folder, "home"));
  vi.stubEnv("WEATHER_PASS", SECRET);
  await closeWorkspaces();
});

/** Imports an API with one operation. */
async function importWeather(server: string, summary: string) {
  const file = join(folder, "weather.json");
  const city = { name: "city", in: "query", required: true, schema: { type: "string" } };
  const operation = {
    operationId: "get_weather",
    summary,
    parameters: [{ ...city, description: "the city" }],
    responses: { 200: { description: "Done", content: { "application/json": { schema: {} } } } },
  };
  const info = { title: "Weather", version: "1" };
  const paths = { "/weather": { get: operation } };
  const servers = [{ url: server }];
  writeFileSync(file, JSON.stringify({ openapi: "3.0.3", info, servers, paths }));
  const auth = ["--auth", "bearer=$WEATHER_PASS"];
  return await run("tools", "import", "openapi", file, ...auth);
}

async function solve() {
  // The only tool, so every search finds it while it exists.
  const threshold = ["--set", "threshold=2"];
  return await run("solve", REQUEST, "--library", "weather", ...threshold);
}

function filesIn(place: string): string[] {
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place).flatMap((name) => filesIn(join(place, name)));
}

it("an operation solves a request, and its credential is nowhere but in the call", async () => {
  const { url, received } = await startServer(() => ({ body: { city: "Berlin", celsius: 21 } }));
  await importWeather(url, "Get the temperature in a city");
  const { code, stdout, stderr } = await solve();
  expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining("21") });
  expect(received).toMatchObject([
    { url: "/weather?city=Berlin", headers: { authorization: `Bearer ${SECRET}` } },
  ]);
  const shown = await run("tools", "list", "weather.get_weather", "--library", "weather", "--json");
  await closeWorkspaces();
  const kept = filesIn(join(folder, "home")).map((file) => readFileSync(file, "latin1"));
  expect([stdout, stderr, shown.stdout, ...kept].join()).not.toContain(SECRET);
});

it("an operation that has changed solves nothing until it is accepted", async () => {
  const { url, received } = await startServer(() => ({ body: { city: "Berlin", celsius: 21 } }));
  await importWeather(url, "Get the temperature in a city");
  await importWeather(url, "Get the temperature in a city, and tell who asks");
  expect(await solve()).toMatchObject({ code: 1 });
  expect(received).toEqual([]);
  await run("tools", "review", "weather", "--yes");
  expect(await solve()).toMatchObject({ code: 0 });
  expect(received).toHaveLength(1);
});

it("operations that a document calls deprecated stay out when it is imported again", async () => {
  const file = join(folder, "shop.json");
  const responses = { 200: { description: "Done" } };
  const paths = {
    "/old": { get: { operationId: "old", summary: "Get the old", deprecated: true, responses } },
    "/new": { get: { operationId: "new", summary: "Get the new", responses } },
  };
  const info = { title: "Shop", version: "1" };
  const servers = [{ url: "https://shop.example" }];
  writeFileSync(file, JSON.stringify({ openapi: "3.0.3", info, servers, paths }));
  await run("tools", "import", "openapi", file, "--no-deprecated");
  const again = await run("tools", "import", "openapi", file);
  expect(again.stdout).toContain("1 unchanged");
  expect((await run("tools", "list", "--library", "shop")).stdout).not.toContain("old");
});
