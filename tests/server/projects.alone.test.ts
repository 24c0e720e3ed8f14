import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client } from "pg";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { isProjectFile, openProject } from "../../graphs/projects.js";
import { hasPostgres, inEachHome, newDatabase, newHome } from "../fakes/homes.js";
import { serveHere } from "./support.js";

const FILE = resolve("tests/fixtures/project/langgraph.json");
let project: ReturnType<typeof openProject>;

beforeAll(() => {
  project = openProject(FILE);
});

inEachHome("the graphs of a LangGraph.js project", (newPlace) => {
  const serve = async () => serveHere(await newPlace(), project);

  it("run with the project's environment, continue their threads, and remember in a store that clients read", async () => {
    const { client } = await serve();
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "counter", { input: { count: 1 } });
    const values = await client.runs.wait(thread_id, "counter", { input: { count: 10 } });
    expect(values).toMatchObject({ count: 15 });
    const item = await client.store.getItem(["counts"], "last");
    expect(item?.value).toEqual({ runs: 2 });
  });

  it("pause for a person and go on, and are made for each run by a function", async () => {
    const { client } = await serve();
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "counter", { input: { asks: true } });
    expect(await client.threads.get(thread_id)).toMatchObject({ status: "interrupted" });
    await client.runs.wait(thread_id, "counter", { command: { resume: "yes" } });
    expect(await client.threads.get(thread_id)).toMatchObject({ status: "idle" });
    const config = { configurable: { node: "mine" } };
    const made = await client.runs.wait(null, "named", { input: {}, config });
    expect(made).toMatchObject({ seen: "mine" });
  });

  it("end when an interrupted thread is changed as if by the node __end__, and refuse values that do not fit", async () => {
    const { client } = await serve();
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "counter", { input: { asks: true } });
    await client.threads.updateState(thread_id, { values: null, asNode: "__end__" });
    expect(await client.threads.get(thread_id)).toMatchObject({ status: "idle" });
    const wrong = client.threads.updateState(thread_id, { values: { count: 1 }, asNode: "nobody" });
    await expect(wrong).rejects.toThrow(/422/);
  });

  it("tell the project's own app of the end of a run, which is served besides; no other address is told unless the operator's file allows it", async () => {
    const { client, url } = await serve();
    const { thread_id } = await client.threads.create();
    await client.runs.wait(thread_id, "counter", { input: {}, webhook: "/own/hook" });
    const told = async () => (await fetch(`${url}/own/told`)).json() as Promise<object[]>;
    await expect
      .poll(told)
      .toContainEqual(expect.objectContaining({ thread_id, status: "success" }));
    const elsewhere = client.runs.wait(thread_id, "counter", {
      input: {},
      webhook: "https://a.example",
    });
    await expect(elsewhere).rejects.toThrow(/403.*webhook/);
  });

  it("are drawn, also as early versions of LangGraph compile them", async () => {
    const { client } = await serve();
    const { nodes } = await client.assistants.getGraph("early");
    expect(nodes.map(({ id }) => id)).toEqual(["__start__", "say", "__end__"]);
    expect(await client.assistants.getSubgraphs("early")).toEqual({});
  });

  it("show their components in chats, built when they are first asked for", async () => {
    const { url, client } = await serveHere(await newPlace(), project);
    const shown = await client["~ui"].getComponent("cards", "greeting");
    const [, source] = /src="([^"]+)" onload='__LGUI_cards.render\("greeting"/.exec(shown) ?? [];
    expect(source).toBe(`${url}/ui/cards/entrypoint.js`);
    const script = await fetch(String(source));
    expect(script.headers.get("content-type")).toContain("javascript");
    expect(await script.text()).toContain("Good day");
    expect((await fetch(`${url}/ui/cards/none.js`)).status).toBe(404);
    const ask = (path: string, name: string) =>
      fetch(`${url}/ui/${path}`, { method: "POST", body: JSON.stringify({ name }) });
    expect((await ask("nobody", "greeting")).status).toBe(404);
    expect((await ask("cards", `"'>`)).status).toBe(422);
  });

  it("can be given their states, step by step, and lose all but the last", async () => {
    const { client } = await serve();
    const { thread_id } = await client.threads.create({
      graphId: "counter",
      supersteps: [1, 2, 3].map((count) => ({ updates: [{ values: { count }, asNode: "add" }] })),
    });
    expect(await client.threads.getHistory(thread_id)).toHaveLength(3);
    await client.threads.prune([thread_id], { strategy: "keep_latest" });
    const left = await client.threads.getHistory(thread_id);
    expect(left.map(({ values }) => values)).toMatchObject([{ count: 6 }]);
  });
});

it("a file with a list of graphs is an operator's, and a project's is refused with what it asks for in vain", () => {
  const folder = mkdtempSync(join(tmpdir(), "project-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const write = (value: object) => {
    const file = join(folder, "langgraph.json");
    writeFileSync(file, JSON.stringify(value));
    return file;
  };
  expect(isProjectFile(write({ graphs: ["tulip"] }))).toBe(false);
  const graphs = { a: "./none.ts:a" };
  expect(isProjectFile(write({ graphs }))).toBe(true);
  expect(() => openProject(write({ graphs }))).toThrow(/none\.ts does not exist/);
  const withStore = { graphs: {}, store: { index: {} }, auth: { path: "./auth.ts:auth" } };
  const { notices, auth: named } = openProject(write(withStore));
  expect(notices).toEqual([expect.stringContaining("store of LangGraph's server is not offered")]);
  expect(named).toEqual({ file: join(folder, "auth.ts"), symbol: "auth" });
  const { notices: alone } = openProject(write({ graphs: {}, env: ".env" }));
  expect(alone).toEqual([expect.stringContaining("env is not read")]);
  const auth = { path: "./auth.ts:auth", cache: {} };
  expect(() => openProject(write({ graphs, auth }))).toThrow(/auth: expected a path alone/);
});

it.skipIf(!hasPostgres)(
  "a server that cannot load its project's app leaves no connection open",
  async () => {
    const url = await newDatabase();
    const app = { file: FILE.replace("langgraph.json", "none.ts"), symbol: "app" };
    await expect(serveHere({ home: newHome(), url }, { app })).rejects.toThrow(/none\.ts/);
    const client = new Client({ connectionString: url });
    await client.connect();
    onTestFinished(() => client.end());
    const others = `SELECT pid FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
    await expect.poll(async () => (await client.query(others)).rowCount).toBe(0);
  },
);
