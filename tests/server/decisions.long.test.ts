import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { expect, it, onTestFinished } from "vitest";
import { openWorkspace } from "../../home/workspace.js";
import { type Keys, openKeys } from "../../server/access/keys.js";
import { SERVER_MIGRATIONS, type ServerTables } from "../../server/schema.js";
import type { ShownRun, WatchedRun } from "../../server/page/routes/watchedRun.js";
import type { GraphState } from "../../state/state.js";
import { type DataPlace, openStore } from "../../storage/database.js";
import { inEachHome } from "../fakes/homes.js";
import { type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";
import { makeGate, serveHere } from "./support.js";

const APPROVE = { type: "approve" };

/** A server with the library of orders, where every caller needs a key, and what its tools have shipped. */
async function serveOrders(place: DataPlace) {
  const policyFile = join(place.home, "serve.json");
  const policy = { authentication: "on", libraries: { shared: ["orders"] } };
  writeFileSync(policyFile, JSON.stringify({ ...policy, settings: SETTINGS }));
  await importFixture({
    store: openWorkspace({ home: place.home, database: place.url }).store,
    settings: { ...TEST_LIBRARY, library: "orders" },
    file: "tests/fixtures/orders/tools.ts",
    description: "Orders",
  });
  const { url } = await serveHere(place, { policyFile });
  const data = openStore<ServerTables>({ place, store: "server", migrations: SERVER_MIGRATIONS });
  onTestFinished(() => data.close());
  const keys = openKeys(data);
  const log = join(place.home, "shipped.log");
  return {
    url,
    keys,
    log,
    context: contextOf(log),
    runner: await clientOf(url, keys, "run", "read"),
    approver: await clientOf(url, keys, "run", "read", "approve"),
    shipped: () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : []),
  };
}

const SETTINGS = ["approval", "library", "model", "embeddings", "threshold", "maxModelCalls"];

async function clientOf(url: string, keys: Keys, ...scopes: ("run" | "read" | "approve")[]) {
  const { secret: apiKey } = await keys.create({ scopes, owner: "team" });
  return new Client({ apiUrl: url, apiKey, callerOptions: { maxRetries: 0 } });
}

/** Settings of a run that ships the orders of Mira, and is asked about all of it beforehand. */
function contextOf(log: string, more: Record<string, unknown> = {}) {
  const code = [
    'const orders = await list_orders({ customer: "Mira" });',
    `for (const order of orders) await ship_order({ order: order.id, log: "${log}" });`,
    "return `Shipped ${orders.length} orders.`;",
  ];
  const { spec: model } = scriptedModel([{ text: ["```ts", ...code, "```"].join("\n") }]);
  return { ...TEST_LIBRARY, library: "orders", threshold: 0, approval: "plan", model, ...more };
}

type Served = Awaited<ReturnType<typeof serveOrders>>;

const input = { request: "Ship the orders of the customer Mira" };

/** A thread whose writes wait for an approval. */
async function waitingThread({ runner, context }: Served, more: Record<string, unknown> = {}) {
  const { thread_id } = await runner.threads.create();
  await runner.runs.wait(thread_id, "tulip", { input, context: { ...context, ...more } });
  return thread_id;
}

async function waitingIn(client: Client, thread: string) {
  const { tasks } = await client.threads.getState<GraphState>(thread);
  return tasks.flatMap(({ interrupts }) => interrupts)[0];
}

/** How a request is answered: its status, or 200. */
async function statusOf(request: Promise<unknown>): Promise<number> {
  return await request.then(
    () => 200,
    (error: { status?: number }) => error.status ?? 0,
  );
}

/** The newest checkpoint that leads to a stage. */
async function checkpointBefore(client: Client, thread: string, stage: string): Promise<string> {
  const history = await client.threads.getHistory<GraphState>(thread, { limit: 100 });
  const found = history.find(
    ({ next, values }) =>
      next.includes(stage) && (stage !== "runProgram" || Boolean(values.program?.approved.length)),
  );
  return found?.checkpoint.checkpoint_id ?? "none";
}

inEachHome("an approval", (newPlace) => {
  it("belongs to one request on the page, whichever of its runs is looked at", async () => {
    const served = await serveOrders(await newPlace());
    const { secret } = await served.keys.create({ scopes: ["read"], owner: "team" });
    const get = async <Answer>(path: string) => {
      const answer = await fetch(`${served.url}/console/${path}`, {
        headers: { "x-api-key": secret },
      });
      return (await answer.json()) as Answer;
    };
    const thread = await waitingThread(served);
    const [waiting] = await get<ShownRun[]>("runs");
    expect(waiting).toMatchObject({ ...input, waits: true });
    await served.approver.runs.wait(thread, "tulip", {
      command: { resume: { decisions: [APPROVE, APPROVE] } },
    });
    await served.runner.runs.wait(thread, "tulip", { input: { request: "Thanks" }, ...served });
    const [thanks, shipped, ...others] = await get<ShownRun[]>("runs");
    expect(others).toEqual([]);
    expect(thanks).toMatchObject({ request: "Thanks" });
    expect(shipped).toMatchObject({
      ...input,
      requestId: waiting?.runId,
      createdAt: waiting?.createdAt,
      outcome: "solved",
      waits: false,
    });
    expect(shipped?.runId).not.toBe(waiting?.runId);
    expect(await get<ShownRun[]>("runs?words=mira&end=solved")).toEqual([shipped]);
    const watched = await get<WatchedRun>(`runs/${waiting?.runId}`);
    expect(await get(`runs/${shipped?.runId}`)).toEqual(watched);
    expect(watched).toMatchObject({ ...input, outcome: "solved", waits: false });
    const ran = new Set(watched.visits.map(({ runId }) => runId));
    expect([...ran]).toEqual([waiting?.runId, shipped?.runId]);
  });

  it("is asked for in both of LangChain's spellings, and goes on without settings, as front ends send none", async () => {
    const served = await serveOrders(await newPlace());
    const { approver, shipped } = served;
    const thread = await waitingThread(served);
    expect((await waitingIn(approver, thread))?.value).toMatchObject({
      actionRequests: [{ name: "ship_order" }, { name: "ship_order" }],
      // The SDK's hooks make the other list of this one.
      reviewConfigs: [{ action_name: "ship_order" }, { action_name: "ship_order" }],
      action_requests: [{ name: "ship_order" }, { name: "ship_order" }],
      review_configs: [
        { action_name: "ship_order", allowed_decisions: expect.arrayContaining(["approve"]) },
        { action_name: "ship_order" },
      ],
    });
    await approver.runs.wait(thread, "tulip", {
      input: {},
      command: { resume: { decisions: [APPROVE, APPROVE] } },
    });
    expect(shipped()).toEqual(["A1", "A3"]);
  });

  it("does not go with a copy of its thread, which asks again", async () => {
    const served = await serveOrders(await newPlace());
    const { runner, approver, context, shipped } = served;
    const thread = await waitingThread(served);
    const decisions = [APPROVE, APPROVE];
    await approver.runs.wait(thread, "tulip", { command: { resume: { decisions } }, context });
    expect(shipped()).toEqual(["A1", "A3"]);
    const { thread_id: copy } = await runner.threads.copy(thread);
    const checkpointId = await checkpointBefore(runner, copy, "runProgram");
    await runner.runs.wait(copy, "tulip", { input: null, context, checkpointId });
    expect(shipped()).toEqual(["A1", "A3"]);
    expect((await waitingIn(runner, copy))?.value).toMatchObject({
      kind: "writes",
      actionRequests: [{ args: { order: "A1" } }, { args: { order: "A3" } }],
    });
  });

  it("does not hold at an earlier checkpoint of its thread, where what was made is not made again", async () => {
    const served = await serveOrders(await newPlace());
    const { runner, approver, context, shipped } = served;
    const thread = await waitingThread(served);
    const decisions = [APPROVE, APPROVE];
    await approver.runs.wait(thread, "tulip", { command: { resume: { decisions } }, context });
    const checkpointId = await checkpointBefore(runner, thread, "runProgram");
    await runner.runs.wait(thread, "tulip", { input: null, context, checkpointId });
    expect((await waitingIn(runner, thread))?.value).toMatchObject({ kind: "writes" });
    await approver.runs.wait(thread, "tulip", { command: { resume: { decisions } }, context });
    const { values } = await runner.threads.getState<GraphState>(thread);
    expect(values).toMatchObject({ status: "solved" });
    expect(shipped()).toEqual(["A1", "A3"]);
  });

  it("given call by call does not hold at a checkpoint before the call, nor in a copy", async () => {
    const served = await serveOrders(await newPlace());
    const { runner, approver, context, shipped } = served;
    const single = { ...context, approval: "writes" };
    const thread = await waitingThread(served, single);
    const resume = { decisions: [APPROVE] };
    await approver.runs.wait(thread, "tulip", { command: { resume }, context: single });
    expect(shipped()).toEqual(["A1"]);
    const { thread_id: copy } = await runner.threads.copy(thread);
    for (const one of [copy, thread]) {
      const checkpointId = await checkpointBefore(runner, one, "execute");
      await runner.runs.wait(one, "tulip", { input: null, context: single, checkpointId });
      expect((await waitingIn(runner, one))?.value).toMatchObject({ kind: "approval" });
      expect(shipped()).toEqual(["A1"]);
    }
  });
});

inEachHome("a run that goes on", (newPlace) => {
  it.each([
    ["settings without an approval", { approval: undefined }],
    ["another approval", { approval: "declared" }],
    ["no settings at all", undefined],
  ])("with %s is asked as it began", async (_, given) => {
    const served = await serveOrders(await newPlace());
    const { approver, context, shipped, log } = served;
    const { spec: model } = scriptedModel([
      {
        text: [
          "```ts",
          `const said = await ship_order({ order: "A1", log: "${log}" });`,
          `await ship_order({ order: said, log: "${log}" });`,
          "return `${said}.`;",
          "```",
        ].join("\n"),
      } satisfies Reply,
    ]);
    const thread = await waitingThread(served, { model });
    const settings = given && { ...context, model, ...given };
    const command = { resume: { decisions: [APPROVE] } };
    await approver.runs.wait(thread, "tulip", { command, context: settings });
    expect(shipped()).toEqual(["A1"]);
    expect((await waitingIn(approver, thread))?.value).toMatchObject({ kind: "writes" });
  });
});

/** A thread that asks three times, one after the other. */
async function threeQuestions(served: Served) {
  const single = { approval: "writes" };
  return { thread: await waitingThread(served, single), context: { ...served.context, ...single } };
}

inEachHome("a decision", (newPlace) => {
  it("that is sent three times answers the one question that was open", async () => {
    const served = await serveOrders(await newPlace());
    const { approver, shipped } = served;
    const { thread, context } = await threeQuestions(served);
    const how = { command: { resume: { decisions: [APPROVE] } }, context };
    const send = () =>
      approver.runs
        .create(thread, "tulip", { ...how, multitaskStrategy: "enqueue" })
        .then((run) => approver.runs.join(thread, run.run_id))
        .catch((error: unknown) => error);
    await Promise.all([send(), send(), send()]);
    expect(shipped()).toEqual(["A1"]);
    expect((await waitingIn(approver, thread))?.value).toMatchObject({
      actionRequests: [{ args: { order: "A3" } }],
    });
    expect(await approver.threads.get(thread)).toMatchObject({ status: "interrupted" });
  });

  it.each(["LangGraph's form", "the decision itself"])(
    "names its question in %s, and is refused for an old or an unknown one",
    async (form) => {
      const served = await serveOrders(await newPlace());
      const { approver, shipped } = served;
      const { thread, context } = await threeQuestions(served);
      const decisions = [APPROVE];
      const answer = (id = "") => {
        const resume =
          form === "LangGraph's form" ? { [id]: { decisions } } : { interrupt: id, decisions };
        return statusOf(approver.runs.wait(thread, "tulip", { command: { resume }, context }));
      };
      const first = (await waitingIn(approver, thread))?.id;
      expect(await answer("0".repeat(32))).toBe(409);
      expect(shipped()).toEqual([]);
      expect(await answer(first)).toBe(200);
      expect(shipped()).toEqual(["A1"]);
      expect(await answer(first)).toBe(409);
      expect(shipped()).toEqual(["A1"]);
      expect(await answer((await waitingIn(approver, thread))?.id)).toBe(200);
      expect(shipped()).toEqual(["A1", "A3"]);
      expect(await answer(first)).toBe(409);
    },
  );

  it("is refused where nothing waits for one", async () => {
    const served = await serveOrders(await newPlace());
    const { approver, context } = served;
    const { thread_id } = await approver.threads.create();
    const command = { resume: { decisions: [APPROVE] } };
    const sent = approver.runs.wait(thread_id, "tulip", { command, context });
    expect(await statusOf(sent)).toBe(409);
  });

  it("needs its scope before anything is said of what is open", async () => {
    const served = await serveOrders(await newPlace());
    const { thread, context } = await threeQuestions(served);
    const command = { resume: { interrupt: "0".repeat(32), decisions: [APPROVE] } };
    const sent = served.runner.runs.wait(thread, "tulip", { command, context });
    expect(await statusOf(sent)).toBe(403);
  });
});

inEachHome("a key that is revoked", (newPlace) => {
  it("has its streams closed and makes no further write, and what it wanted to write waits for others", async () => {
    const served = await serveOrders(await newPlace());
    const { url, keys, approver, context, log } = served;
    const { secret, key } = await keys.create({
      scopes: ["run", "read", "approve"],
      owner: "team",
    });
    const client = new Client({ apiUrl: url, apiKey: secret, callerOptions: { maxRetries: 0 } });
    const gate = makeGate();
    const code = [
      `const said = await ship_order({ order: "A1", log: "${log}" });`,
      `const seen = await look(said, "Which order is next? Only its id.");`,
      `await ship_order({ order: seen, log: "${log}" });`,
      "return seen;",
    ];
    const { spec: model } = scriptedModel(async ({ stage }): Promise<Reply> => {
      if (stage === "look") await gate.pass();
      return { text: stage === "look" ? "A3" : ["```ts", ...code, "```"].join("\n") };
    });
    const { thread_id } = await client.threads.create();
    const settings = { ...context, model, approval: "declared" };
    const events: string[] = [];
    const streaming = (async () => {
      const stream = client.runs.stream(thread_id, "tulip", { input, context: settings });
      for await (const { event } of stream) events.push(event);
    })().catch(() => undefined);
    await gate.arrived;
    await keys.revoke(key.id);
    await streaming;
    expect(events.at(-1)).toBe("error");
    gate.open();
    const ended = async () => (await approver.runs.list(thread_id))[0]?.status;
    await expect.poll(ended).toBe("error");
    expect(served.shipped()).toEqual(["A1"]);
    expect(await statusOf(client.threads.get(thread_id))).toBe(401);
    expect(await approver.threads.get(thread_id)).toMatchObject({ status: "interrupted" });
    await approver.runs.wait(thread_id, "tulip", { input: null });
    expect(served.shipped()).toEqual(["A1", "A3"]);
  });

  it("leaves its questions to others, who go on under their own key", async () => {
    const served = await serveOrders(await newPlace());
    const { url, keys, approver, shipped } = served;
    const { secret, key } = await keys.create({
      scopes: ["run", "read", "approve"],
      owner: "team",
    });
    const client = new Client({ apiUrl: url, apiKey: secret, callerOptions: { maxRetries: 0 } });
    const thread = await waitingThread({ ...served, runner: client });
    await keys.revoke(key.id);
    const command = { resume: { decisions: [APPROVE, APPROVE] } };
    expect(await statusOf(client.runs.wait(thread, "tulip", { command }))).toBe(401);
    expect(shipped()).toEqual([]);
    await approver.runs.wait(thread, "tulip", { command });
    expect(shipped()).toEqual(["A1", "A3"]);
  });
});

inEachHome("a run that is rolled back", (newPlace) => {
  it.each(["by its cancellation", "by the next run"])(
    "%s leaves known what it had written",
    async (how) => {
      const served = await serveOrders(await newPlace());
      const { approver, context, log, shipped } = served;
      const gate = makeGate();
      const write = { name: "ship_order", args: { order: "A1", log } };
      const seen: string[] = [];
      const { spec: model } = scriptedModel(async ({ messages }): Promise<Reply> => {
        const isNext = messages.some(({ text }) => text.includes("What was shipped?"));
        if (isNext) {
          seen.push(messages.map(({ text }) => text).join("\n"));
          return { stop: "That was A1.", solved: true };
        }
        if (messages.at(-1)?.type !== "tool") return { calls: [write] };
        await gate.pass();
        return { stop: "Shipped." };
      });
      const settings = { ...context, model, approval: "declared" };
      const { thread_id } = await approver.threads.create();
      const run = await approver.runs.create(thread_id, "naive_tool", { input, context: settings });
      await gate.arrived;
      const next = { input: { request: "What was shipped?" }, context: settings };
      if (how === "by its cancellation") {
        await approver.runs.cancel(thread_id, run.run_id, true, "rollback");
        await approver.runs.wait(thread_id, "naive_tool", next);
      } else {
        await approver.runs.wait(thread_id, "naive_tool", {
          ...next,
          multitaskStrategy: "rollback",
        });
      }
      expect(shipped()).toEqual(["A1"]);
      expect(seen[0]).toMatch(/rolled back.*ship_order.*A1/);
      expect(await approver.threads.get(thread_id)).toMatchObject({
        metadata: { rolled_back_calls: [{ tool: "ship_order", status: "done" }] },
      });
    },
  );

  it("takes back the decisions that it began with", async () => {
    const served = await serveOrders(await newPlace());
    const { approver, context, log, shipped } = served;
    const gate = makeGate();
    const code = [
      `const said = await ship_order({ order: "A1", log: "${log}" });`,
      `const seen = await look(said, "Which order is next? Only its id.");`,
      "return seen;",
    ];
    const { spec: model } = scriptedModel(async ({ stage }): Promise<Reply> => {
      if (stage === "look") await gate.pass();
      return { text: stage === "look" ? "A1" : ["```ts", ...code, "```"].join("\n") };
    });
    const settings = { ...context, model };
    const thread = await waitingThread(served, { model });
    const command = { resume: { decisions: [APPROVE] } };
    const how = { command, context: settings };
    const run = await approver.runs.create(thread, "tulip", how);
    await gate.arrived;
    await approver.runs.cancel(thread, run.run_id, true, "rollback");
    expect(await approver.threads.get(thread)).toMatchObject({ status: "interrupted" });
    await served.runner.runs.wait(thread, "tulip", { input: null });
    expect((await waitingIn(approver, thread))?.value).toMatchObject({ kind: "writes" });
    gate.open();
    await approver.runs.wait(thread, "tulip", how);
    expect(shipped()).toEqual(["A1"]);
  });
});
