import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, it } from "vitest";
import { matches } from "../../../server/access/hooks.js";
import { newHome } from "../../fakes/homes.js";
import { TEST_LIBRARY } from "../../fakes/testLibrary.js";
import { echoModel, importInto, serveHere } from "../support.js";

const GRAPH = "base";

/** A server with the `auth` of tests/fixtures/access, and clients for its users. */
async function servePeople() {
  const place = { home: newHome() };
  await importInto(place);
  const policyFile = join(place.home, "serve.json");
  writeFileSync(policyFile, JSON.stringify({ libraries: { shared: ["test"] } }));
  const { url } = await serveHere(place, { folder: resolve("tests/fixtures/access"), policyFile });
  const callerOptions = { maxRetries: 0 };
  const as = (person: string, headers = {}) =>
    new Client({
      apiUrl: url,
      callerOptions,
      defaultHeaders: { "x-person": person, ...headers },
    });
  return { url, as };
}

async function statusOf(request: Promise<unknown>): Promise<number> {
  const failure: unknown = await request.then(
    () => ({ status: 200 }),
    (error: unknown) => error,
  );
  return (failure as { status: number }).status;
}

describe("the auth of langgraph.json", () => {
  it("says who a caller is, and refuses others even if nothing else requires authentication", async () => {
    const { as, url } = await servePeople();
    expect(await statusOf(as("ada").threads.search())).toBe(200);
    expect(await statusOf(as("nobody").threads.search())).toBe(401);
    expect((await fetch(`${url}/threads/search`, { method: "POST" })).status).toBe(401);
    // Anybody could send Studio's header.
    const studio = as("nobody", { "x-auth-scheme": "langsmith" });
    expect(await statusOf(studio.threads.search())).toBe(401);
  });

  it("gives scopes only by their full names", async () => {
    const { as } = await servePeople();
    expect(await statusOf(as("root").threads.search())).toBe(200);
    expect(await statusOf(as("root").threads.create())).toBe(403);
  });

  it("marks what is created, and shows callers only what matches", async () => {
    const { as } = await servePeople();
    const [ada, bob, eve] = [as("ada"), as("bob"), as("eve")];
    const { thread_id: id, metadata } = await ada.threads.create({ metadata: { colour: "red" } });
    expect(metadata).toEqual({ colour: "red", group: "sales", by: "ada" });
    expect(await statusOf(bob.threads.get(id))).toBe(200);
    expect(await bob.threads.search()).toHaveLength(1);
    const refused = await Promise.all(
      [
        eve.threads.get(id),
        eve.threads.getHistory(id),
        eve.threads.update(id, { metadata: { group: "tax" } }),
        eve.runs.list(id),
        eve.runs.wait(id, GRAPH, { input: {} }),
        as("plain").threads.get(id),
      ].map(statusOf),
    );
    expect(refused).toEqual(refused.map(() => 404));
    expect(await eve.threads.search({ metadata: { group: "sales" } })).toEqual([]);
  });

  it("marks runs, and tells graphs who the caller is", async () => {
    const { as } = await servePeople();
    const ada = as("ada");
    const { thread_id } = await ada.threads.create();
    const run = await ada.runs.create(thread_id, GRAPH, {
      input: { messages: [{ role: "user", content: "hello" }] },
      context: { ...TEST_LIBRARY, ...echoModel().context },
      metadata: { colour: "red" },
    });
    await ada.runs.join(thread_id, run.run_id);
    const { metadata, kwargs } = (await ada.runs.get(thread_id, run.run_id)) as typeof run & {
      kwargs: { config: { configurable: Record<string, unknown> } };
    };
    expect(metadata).toMatchObject({ colour: "red", group: "sales", by: "ada" });
    expect(kwargs.config.configurable).toMatchObject({
      langgraph_auth_user_id: "ada",
      langgraph_auth_user: { identity: "ada", group: "sales" },
    });
  });

  it("refuses as its handlers say", async () => {
    const { as } = await servePeople();
    const ada = as("ada");
    const { thread_id } = await ada.threads.create();
    expect(await statusOf(ada.threads.delete(thread_id))).toBe(403);
    expect(await statusOf(ada.assistants.create({ graphId: GRAPH }))).toBe(409);
  });

  it.each([
    ['{ "auth": { "path": "./none.ts:auth" } }', /none\.ts does not exist/],
    ['{ "auth": { "path": "./plain.mjs:other" } }', /exports no "other"/],
    ["{", /is not JSON/],
  ])("that cannot be used is told before anything is served: %s", async (config, message) => {
    const folder = newHome();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "langgraph.json"), config);
    writeFileSync(join(folder, "plain.mjs"), "export const auth = {};");
    await expect(serveHere({ home: newHome() }, { folder })).rejects.toThrow(message);
  });
});

describe("a filter", () => {
  it.each([
    [{ a: "x" }, { a: "x" }, true],
    [{ a: "y" }, { a: "x" }, false],
    [{}, { a: "x" }, false],
    [{ a: "x" }, { a: { $eq: "x" } }, true],
    [{ a: ["x", "y"] }, { a: { $contains: "x" } }, true],
    [{ a: ["x", "y"] }, { a: { $contains: ["x", "z"] } }, false],
    [{ a: "xy" }, { a: { $contains: "x" } }, false],
    [{ a: "x" }, { a: { $unknown: "x" } }, false],
    [{ a: "x" }, {}, true],
  ])("lets %j through %j: %s", (metadata, filters, is) => {
    expect(matches(metadata, filters)).toBe(is);
  });
});
