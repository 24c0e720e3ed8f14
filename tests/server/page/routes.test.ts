import { expect, it } from "vitest";
import { tellingProgress } from "../../../common/longWork.js";
import type { ShownCosts } from "../../../server/page/routes/keyRoutes.js";
import type { Exchange, ShownRun, WatchedRun } from "../../../server/page/routes/watchedRun.js";
import { inEachHome } from "../../fakes/homes.js";
import { serveThread } from "../support.js";

inEachHome("what the page asks for", (newPlace) => {
  /** A server with a run that has ended, and what it says about it. */
  async function servedRun() {
    const { client, url, thread_id, context, gate } = await serveThread(newPlace);
    const settings = { ...context, library: "100% mine" };
    await client.runs.wait(thread_id, "base", {
      input: { request: "Say 100%" },
      context: settings,
    });
    const get = async <Answer>(path: string) =>
      (await (await fetch(`${url}/console/${path}`)).json()) as Answer;
    return { client, thread_id, context, gate, get };
  }

  it("finds runs by how they ended, and by words of what was asked", async () => {
    const { client, thread_id, context, gate, get } = await servedRun();
    const requests = async (query: string) =>
      (await get<ShownRun[]>(`runs?${query}`)).map(({ request }) => request);
    await client.runs.create(thread_id, "base", { input: { request: "Please wait" }, context });
    await gate.arrived;
    expect(await requests("")).toEqual(["Please wait", "Say 100%"]);
    expect(await requests("end=open")).toEqual(["Please wait"]);
    expect(await requests("end=solved")).toEqual(["Say 100%"]);
    expect(await requests("end=unsolved")).toEqual([]);
    expect(await requests("end=waiting")).toEqual([]);
    expect(await requests("words=SAY%20100%25")).toEqual(["Say 100%"]);
    expect(await requests("words=100_")).toEqual([]);
    const [, ended] = await get<ShownRun[]>("runs");
    expect(ended).toMatchObject({ outcome: "answered", usage: { modelCalls: 1 }, waits: false });
    gate.open();
  });

  it("tells of long work while a run is at work, as when its library is indexed", async () => {
    const { client, thread_id, context, gate, get } = await servedRun();
    const order = { input: { request: "Please wait" }, context };
    const { run_id } = await client.runs.create(thread_id, "base", order);
    await gate.arrived;
    const seen = async () => (await get<WatchedRun>(`runs/${run_id}`)).work;
    expect(await seen()).toEqual([]);
    const work = { label: "embedding", unit: "texts", total: 16_000 } as const;
    await tellingProgress(work, async (tell) => {
      tell({ done: 1280 });
      expect(await seen()).toEqual(["embedding: 1,280 of 16,000 texts"]);
    });
    expect(await seen()).toEqual([]);
    gate.open();
  });

  it("keeps what the model was told and replied, until the thread is deleted", async () => {
    const { client, thread_id, get } = await servedRun();
    const [run] = await get<ShownRun[]>("runs");
    const { visits } = await get<WatchedRun>(`runs/${run?.runId}`);
    const asking = visits.find(({ modelCalls }) => modelCalls > 0);
    const path = `runs/${run?.runId}/exchanges/${asking?.id}`;
    const [exchange] = await get<Exchange[]>(path);
    expect(exchange?.model).toMatch(/^fake:/);
    expect(exchange?.prompt.at(-1)).toEqual({
      role: "user",
      parts: [{ type: "text", content: "Say 100%" }],
    });
    expect(exchange?.reply).toEqual([
      { role: "assistant", parts: [{ type: "text", content: "You said Say 100%." }] },
    ]);
    await client.threads.delete(thread_id);
    expect(await get(path)).toMatchObject({ message: expect.stringContaining("not found") });
  });

  it.each([
    ["caller", ""],
    ["graph", "base"],
    ["library", "100% mine"],
  ])("tells what was used by %s", async (by, of) => {
    const { get } = await servedRun();
    const used = { runs: 1, modelCalls: 1, tokens: 12, usd: 0 };
    await expect
      .poll(() => get<ShownCosts>(`costs?by=${by}`))
      .toEqual({ budget: null, today: used, rows: [{ of, ...used, cachedTokens: 0 }] });
  });
});
