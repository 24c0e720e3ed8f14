import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { beforeAll, expect, it } from "vitest";
import { openProject } from "../../graphs/projects.js";
import { inEachHome } from "../fakes/homes.js";
import { serveHere } from "./support.js";

const PROJECT = resolve("tests/fixtures/project");
let project: ReturnType<typeof openProject>;

beforeAll(() => {
  project = openProject(`${PROJECT}/langgraph.json`);
});

inEachHome("a project's own authentication", (newPlace) => {
  const serve = async () => {
    const auth = { file: `${PROJECT}/auth.ts`, symbol: "auth" };
    const { url } = await serveHere(await newPlace(), { ...project, auth });
    const callerOptions = { maxRetries: 0 };
    const as = (name: string) =>
      new Client({
        apiUrl: url,
        callerOptions,
        defaultHeaders: { authorization: `Bearer ${name}` },
      });
    return { url, ada: as("ada"), bob: as("bob"), boss: as("boss") };
  };

  it("answers those whom it does not let in as it says itself", async () => {
    const { url } = await serve();
    const answer = await fetch(`${url}/threads/search`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ message: "say who you are" });
  });

  it("shows its users what its filters let them see, by whichever route", async () => {
    const { ada, bob, boss } = await serve();
    const { thread_id, metadata } = await ada.threads.create({ metadata: { subject: "tea" } });
    expect(metadata).toEqual({ subject: "tea", owner: "ada" });
    await ada.runs.wait(thread_id, "counter", { input: { count: 1 } });
    const [run] = await ada.runs.list(thread_id);
    const { run_id } = run ?? { run_id: "" };
    const { assistant_id } = await ada.assistants.create({ graphId: "counter" });
    const { cron_id } = await ada.crons.create("counter", { schedule: "0 9 * * *" });
    const ways: ((client: Client) => Promise<unknown>)[] = [
      (client) => client.threads.get(thread_id),
      (client) => client.threads.getState(thread_id),
      (client) => client.threads.getHistory(thread_id),
      (client) => client.threads.update(thread_id, { metadata: { seen: true } }),
      (client) => client.threads.updateState(thread_id, { values: { count: 1 } }),
      (client) => client.threads.copy(thread_id),
      (client) => client.runs.list(thread_id),
      (client) => client.runs.get(thread_id, run_id),
      (client) => client.runs.join(thread_id, run_id),
      (client) => client.runs.cancel(thread_id, run_id),
      (client) => client.runs.wait(thread_id, "counter", { input: { count: 1 } }),
      (client) => client.runs.wait(null, assistant_id, { input: { count: 1 } }),
      (client) => client.assistants.get(assistant_id),
      (client) => client.crons.createForThread(thread_id, "counter", { schedule: "0 9 * * *" }),
      (client) => client.crons.update(cron_id, { enabled: false }),
    ];
    for (const [at, way] of ways.entries()) {
      const refused = await way(bob).then(
        () => "done",
        (error: unknown) => (/404|409/.test(String(error)) ? "hidden" : String(error)),
      );
      expect(`${at} ${refused}`).toBe(`${at} hidden`);
      await way(ada);
    }
    expect(await bob.threads.search()).toEqual([]);
    expect(await bob.threads.count()).toBe(0);
    expect(await bob.assistants.search({ metadata: { owner: "ada" } })).toEqual([]);
    expect(await bob.crons.search()).toEqual([]);
    expect(await boss.threads.get(thread_id)).toMatchObject({ metadata: { subject: "tea" } });
  });

  it("refuses what its handlers deny, and what none of its events is about", async () => {
    const { url, ada, bob } = await serve();
    const { assistant_id } = await ada.assistants.create({ graphId: "counter" });
    await expect(ada.assistants.delete(assistant_id)).rejects.toThrow(/403/);
    await ada.store.putItem(["ada"], "k", { v: 1 });
    await expect(bob.store.getItem(["ada"], "k")).rejects.toThrow(/403.*somebody else/);
    expect((await ada.store.getItem(["ada"], "k"))?.value).toEqual({ v: 1 });
    for (const path of ["/console/runs", "/metrics", "/connections", "/mcp"]) {
      const answer = await fetch(url + path, { headers: { authorization: "Bearer ada" } });
      expect(`${path} ${answer.status}`).toBe(`${path} 403`);
    }
  });

  it("tells graphs who the user is", async () => {
    const { ada } = await serve();
    const { thread_id } = await ada.threads.create();
    expect(await ada.runs.wait(thread_id, "who", { input: {} })).toMatchObject({ seen: "ada" });
    const shown = [await ada.runs.list(thread_id), await ada.threads.get(thread_id)];
    expect(JSON.stringify(shown)).not.toContain("langgraph_auth_user");
  });
});
