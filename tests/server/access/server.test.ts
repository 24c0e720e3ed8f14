import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Keys, openKeys } from "../../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../../server/schema.js";
import type { Choices } from "../../../server/page/routes/libraryRoutes.js";
import { type DataPlace, type Store, openStore } from "../../../storage/database.js";
import { inEachHome, newHome } from "../../fakes/homes.js";
import { scriptedModel } from "../../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { all, echoModel, importInto, serveHere } from "../support.js";

const GRAPH = "base";

interface Team {
  url: string;
  keys: Keys;
  data: Store<ServerTables>;
  as: (secret: string) => Client;
}

/** A server that requires keys, with its database. */
async function serveTeam(
  options: { policy?: object; place?: DataPlace; concurrency?: number } = {},
): Promise<Team> {
  const { policy = {}, place = { home: newHome() }, concurrency = 8 } = options;
  const policyFile = join(place.home, "serve.json");
  const libraries = { shared: ["test"] };
  writeFileSync(policyFile, JSON.stringify({ authentication: "on", libraries, ...policy }));
  await importInto(place);
  const { url } = await serveHere(place, { policyFile, concurrency });
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  onTestFinished(() => data.close());
  const callerOptions = { maxRetries: 0 };
  const as = (apiKey: string) => new Client({ apiUrl: url, apiKey, callerOptions });
  return { url, keys: openKeys(data), data, as };
}

const input = (content: string) => ({ messages: [{ role: "user", content }] });

/** The status with which a request is refused; 200 if it is not. */
async function statusOf(request: Promise<unknown>): Promise<number> {
  try {
    await request;
    return 200;
  } catch (error) {
    const [, status] = /HTTP (\d{3})/.exec(String(error)) ?? [];
    return Number((error as { status?: number }).status ?? status);
  }
}

it("a server for some graphs and models offers only those on its page, and begins with one of them", async () => {
  const policy = { graphs: ["react_*"], models: ["offline:planner", "ollama:*"] };
  const { url, keys } = await serveTeam({ policy });
  const { secret } = await keys.create({ scopes: ["run", "read"], owner: "ada" });
  const asked = await fetch(`${url}/console/choices`, { headers: { "x-api-key": secret } });
  const { graphs, models, usual } = (await asked.json()) as Choices;
  expect(graphs.filter(({ id, summary }) => !id.startsWith("react_") || summary === "")).toEqual(
    [],
  );
  expect(models).toEqual(["offline:planner"]);
  expect(usual.model).toBe("offline:planner");
  expect(graphs.map(({ id }) => id)).toContain(usual.graph);
});

it("a server for some graphs lists only those", async () => {
  const { keys, as } = await serveTeam({ policy: { graphs: ["tulip", "react_*"] } });
  const { secret } = await keys.create({ scopes: ["run", "read"], owner: "ada" });
  const listed = await as(secret).assistants.search({ limit: 100 });
  const ids = listed.map(({ graph_id }) => graph_id);
  expect(ids).toContain("tulip");
  expect(ids.filter((id) => id !== "tulip" && !id.startsWith("react_"))).toEqual([]);
  expect(await as(secret).assistants.search({ graphId: "base" })).toEqual([]);
});

describe("a key on a server", () => {
  it("allows no more than its scopes", async () => {
    const { keys, as } = await serveTeam();
    const owner = "ada";
    const runs = as((await keys.create({ scopes: ["run"], owner })).secret);
    const reads = as((await keys.create({ scopes: ["read"], owner })).secret);
    const context = { ...TEST_LIBRARY, ...echoModel().context };
    const { thread_id } = await runs.threads.create();
    await runs.runs.wait(thread_id, GRAPH, { input: input("hello"), context });
    expect(await statusOf(reads.threads.getState(thread_id))).toBe(200);
    expect(await statusOf(reads.runs.wait(thread_id, GRAPH, { input: input("x") }))).toBe(403);
    expect(await statusOf(reads.threads.delete(thread_id))).toBe(403);
    expect(await statusOf(runs.threads.getState(thread_id))).toBe(403);
    expect(await statusOf(runs.threads.updateState(thread_id, { values: {} }))).toBe(403);
    const command = { resume: true };
    expect(await statusOf(runs.runs.wait(thread_id, GRAPH, { command }))).toBe(403);
  });

  it("is found nowhere but in the request that it came with", async () => {
    const printed: string[] = [];
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    }
    const { keys, as, data } = await serveTeam();
    const { secret } = await keys.create({ scopes: ["admin"] });
    const context = { ...TEST_LIBRARY, ...echoModel().context };
    const client = as(secret);
    const { thread_id } = await client.threads.create();
    const parts = await all(
      client.runs.stream(thread_id, GRAPH, {
        input: input("hello"),
        context,
        streamMode: ["values", "debug"],
      }),
    );
    const rows = await Promise.all([
      data.db.selectFrom("runs").selectAll().execute(),
      data.db.selectFrom("threads").selectAll().execute(),
      data.db.selectFrom("run_events").selectAll().execute(),
    ]);
    const history = await client.threads.getHistory(thread_id);
    vi.restoreAllMocks();
    const everything = JSON.stringify([printed, parts, rows, history]);
    expect(everything).toContain("You said hello");
    expect(everything).not.toContain(secret);
  });
});

describe("limits of a server's operator", () => {
  const policy = {
    limits: { maxModelCalls: 2 },
    settings: ["model", "embeddings", "library", "threshold", "maxModelCalls"],
  };

  it("are not lifted by an assistant, a run, its configurable, or by resuming", async () => {
    const { keys, as, data } = await serveTeam({ policy });
    const client = as((await keys.create({ scopes: ["run", "read", "approve"] })).secret);
    const { spec } = scriptedModel([{ calls: [{ name: "test/nothing", args: {} }] }]);
    const usual = { ...TEST_LIBRARY, model: spec };
    const most = { maxModelCalls: 900 };
    const assistant = await client.assistants.create({
      graphId: GRAPH,
      context: { ...usual, ...most },
      config: { configurable: most },
    });
    const { thread_id } = await client.threads.create();
    const id = assistant.assistant_id;
    await client.runs.wait(thread_id, id, {
      input: input("hello"),
      context: most,
      config: { configurable: most },
      interruptBefore: ["respond"],
    });
    await client.runs.wait(thread_id, id, { command: { resume: {} }, context: most });
    const rows = await data.db.selectFrom("runs").select("kwargs").execute();
    expect(rows).toHaveLength(2);
    for (const { kwargs } of rows) {
      const { context, config } = JSON.parse(kwargs) as {
        context: object;
        config: { configurable: object };
      };
      expect(context).toMatchObject({ maxModelCalls: 2 });
      expect(config.configurable).not.toHaveProperty("maxModelCalls");
    }
    const wanted = { input: input("x"), context: { ...usual, topK: 99 } };
    expect(await statusOf(client.runs.wait(thread_id, GRAPH, wanted))).toBe(403);
  });

  it("in dollars hold for graphs that keep to them; other graphs are refused", async () => {
    const { keys, as, data } = await serveTeam({ policy: { limits: { usd: 0.5 } } });
    const client = as((await keys.create({ scopes: ["run"] })).secret);
    const context = { ...TEST_LIBRARY, model: "offline:planner" };
    const wanted = { input: input("hello"), context, raiseError: false };
    const run = (graph: string) => client.runs.wait(null, graph, wanted);
    expect(await statusOf(run("react"))).toBe(403);
    expect(await statusOf(run("tulip"))).toBe(200);
    const rows = await data.db.selectFrom("runs").select("kwargs").execute();
    expect(rows.map(({ kwargs }) => JSON.parse(kwargs) as object)).toMatchObject([
      { context: { budget: "$0.5" } },
    ]);
  });

  it("in tokens stop a run that uses more than was set aside, and runs at once keep to the day", async () => {
    const policy = { budgets: { tokens: 300 } };
    const { keys, as, data } = await serveTeam({ policy });
    const client = as((await keys.create({ scopes: ["run", "read"] })).secret);
    // Each reply reports 12 tokens, and each run may use 30.
    const { spec } = scriptedModel((_, index) => ({
      calls: [{ name: "greet", args: { person: `Number ${index}` } }],
    }));
    const context = { ...TEST_LIBRARY, model: spec, maxModelCalls: 40 };
    const wanted = { input: input("greet for ever"), context, raiseError: false };
    const runs = Array.from({ length: 12 }, () => client.runs.wait(null, "naive_tool", wanted));
    const ended = await Promise.allSettled(runs);
    const told = ended.map((one) => JSON.stringify(one.status === "fulfilled" ? one.value : ""));
    expect(told.filter((text) => text.includes("tokens that the day's budget"))).toHaveLength(10);
    expect(ended.filter(({ status }) => status === "rejected")).toHaveLength(2);
    const [day] = await data.db.selectFrom("spend_by_graph").selectAll().execute();
    expect(day?.tokens).toBeGreaterThanOrEqual(300);
    expect(day?.tokens).toBeLessThanOrEqual(300 + 10 * 12);
  });

  it("give back what was set aside for a run that its thread refuses", async () => {
    const gate = echoModel();
    const { keys, as, data } = await serveTeam({ policy: { runs: { perCaller: 2 } } });
    const client = as((await keys.create({ scopes: ["run", "read"] })).secret);
    const { thread_id } = await client.threads.create();
    const wanted = { input: input("wait"), context: { ...TEST_LIBRARY, ...gate.context } };
    const first = await client.runs.create(thread_id, GRAPH, wanted);
    for (let tries = 0; tries < 3; tries += 1) {
      expect(await statusOf(client.runs.create(thread_id, GRAPH, wanted))).toBe(422);
    }
    expect(await data.db.selectFrom("runs").select("run_id").execute()).toEqual([
      { run_id: first.run_id },
    ]);
    gate.gate.open();
    await client.runs.join(thread_id, first.run_id);
  });
});

describe("an operator's file", () => {
  it.each([
    [{ limits: { maxModelCall: 5 } }, /limits: .*"maxModelCall"/],
    [{ hostss: [] }, /the file: .*"hostss"/],
    [{ limits: { maxModelCalls: "many" } }, /limits\.maxModelCalls/],
    [{ origins: ["https://a.example/path"] }, /origins\.0.*is not an origin/],
    [{ hosts: ["https://a.example"] }, /hosts\.0/],
    [{ jwt: { jwks: "http://id.example/keys", issuer: "a", audience: "b" } }, /jwt\.jwks.*https/],
    [{ jwt: { jwks: "https://id.example/keys" } }, /jwt\.issuer/],
    [{ force: { approvel: "writes" } }, /force/],
    [{ force: { approval: "sometimes" } }, /force: approval/],
    [{ settings: ["topk"] }, /settings\.0.*topK/],
    [{ budgets: { runs: -1 } }, /budgets\.runs/],
  ])(
    "that is wrong is reported in one line before anything is served: %j",
    async (policy, message) => {
      const home = newHome();
      const policyFile = join(home, "serve.json");
      writeFileSync(policyFile, JSON.stringify(policy));
      const failure: unknown = await serveHere({ home }, { policyFile }).catch((error) => error);
      expect(failure).toBeInstanceOf(Error);
      expect((failure as Error).message).toMatch(message);
      expect((failure as Error).message).not.toContain("\n");
    },
  );
});

inEachHome("a server whose processes are busy", (newPlace) => {
  it("serves callers in turn, however many runs one of them has queued", async () => {
    const { keys, as } = await serveTeam({ place: await newPlace(), concurrency: 1 });
    const { context: model, gate, questions } = echoModel();
    const context = { ...TEST_LIBRARY, ...model };
    const made = await Promise.all([1, 2].map(() => keys.create({ scopes: ["run", "read"] })));
    const [many, one] = made.map(({ secret }) => as(secret)) as [Client, Client];
    const queue = async (client: Client, content: string) => {
      const { thread_id } = await client.threads.create();
      const run = await client.runs.create(thread_id, GRAPH, { input: input(content), context });
      return () => client.runs.join(thread_id, run.run_id);
    };
    await queue(many, "wait");
    await gate.arrived;
    const ends = [await queue(many, "second"), await queue(many, "third")];
    ends.push(await queue(one, "only"));
    gate.open();
    for (const end of ends) await end();
    const asked = questions.map(({ messages }) => messages.at(-1)?.text);
    expect(asked).toEqual(["wait", "only", "second", "third"]);
  });
});
