import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { GraphState } from "../../state/state.js";
import { inEachHome, newHome } from "../fakes/homes.js";
import { echoModel, serveHere, serveThread } from "./support.js";

const HELLO = { request: "hello" };

const NOBODY = randomUUID();

inEachHome("assistants", (newPlace) => {
  it("of graphs say what the graphs do, and are found by the graphs' ids", async () => {
    const { client } = await serveHere(await newPlace());
    const [tulip] = await client.assistants.search({ graphId: "tulip" });
    expect(tulip).toMatchObject({
      // As langgraphjs dev derives it from the graph's id.
      assistant_id: "41512677-8e1a-598f-a5b8-be54fc68c5a3",
      graph_id: "tulip",
      description: expect.stringContaining("program"),
      metadata: { created_by: "system" },
    });
    expect(await client.assistants.get("tulip")).toEqual(tulip);
    await expect(client.assistants.delete("tulip")).rejects.toThrow(/422.*cannot be deleted/);
  });

  it("of a caller's own are graphs with settings, and can be changed", async () => {
    const { client } = await serveHere(await newPlace());
    const first = { graphId: "base", name: "first", context: { temperature: 0 } };
    const { assistant_id: id } = await client.assistants.create(first);
    await client.assistants.update(id, { name: "second", metadata: { team: "a" } });
    const changed = { name: "second", context: { temperature: 0 }, metadata: { team: "a" } };
    expect(await client.assistants.get(id)).toMatchObject(changed);
    expect(await client.assistants.count({ name: "SECOND" })).toBe(1);
    await client.assistants.delete(id);
    await expect(client.assistants.get(id)).rejects.toThrow(/404/);
  });
});

inEachHome("threads", (newPlace) => {
  it("tell what their states take, and when they will be deleted", async () => {
    const { client, url, thread_id, context } = await serveThread(newPlace);
    await client.runs.wait(thread_id, "base", { input: HELLO, context });
    const answer = await fetch(`${url}/threads/${thread_id}/storage`);
    const { total_bytes, checkpoints, channel_values, pending_writes } =
      (await answer.json()) as Record<string, { count: number; bytes: number }>;
    const parts = [checkpoints, channel_values, pending_writes];
    expect(total_bytes).toBe(parts.reduce((sum, part) => sum + Number(part?.bytes), 0));
    expect(checkpoints?.count).toBeGreaterThan(1);
    await client.threads.update(thread_id, { metadata: {}, ttl: 5 });
    const kept = await fetch(`${url}/threads/${thread_id}?include=ttl`);
    expect(await kept.json()).toMatchObject({ ttl: { strategy: "delete", ttl_minutes: 5 } });
  });

  it("are created once under an id, changed, found, counted and deleted", async () => {
    const { client } = await serveHere(await newPlace());
    const threadId = randomUUID();
    const metadata = { team: { name: "a", size: 3 } };
    await client.threads.create({ threadId, metadata });
    await client.threads.create({ metadata: { team: { name: "b" } } });
    await expect(client.threads.create({ threadId })).rejects.toThrow(/409/);
    const again = await client.threads.create({ threadId, ifExists: "do_nothing" });
    expect(again).toMatchObject({ thread_id: threadId, status: "idle", metadata });
    await client.threads.patchState(threadId, { done: true });
    const found = await client.threads.search({ metadata: { team: { name: "a" } } });
    expect(found).toMatchObject([{ thread_id: threadId, metadata: { ...metadata, done: true } }]);
    expect(await client.threads.count()).toBe(2);
    const chosen = await client.threads.search({ ids: [threadId], select: ["thread_id"] });
    expect(chosen).toEqual([{ thread_id: threadId }]);
    await client.threads.delete(threadId);
    await expect(client.threads.get(threadId)).rejects.toThrow(/404/);
  });

  it("are copied with their conversation, and go on independently", async () => {
    const { client, context, thread_id } = await serveThread(newPlace);
    await client.runs.wait(thread_id, "base", { input: HELLO, context });
    const copy = await client.threads.copy(thread_id);
    await client.runs.wait(copy.thread_id, "base", { input: { request: "more" }, context });
    const texts = async (thread: string) =>
      (await client.threads.getState<GraphState>(thread)).values.messages.map(
        ({ content }) => content,
      );
    expect(await texts(thread_id)).toEqual(["hello", "You said hello."]);
    expect(await texts(copy.thread_id)).toEqual([
      "hello",
      "You said hello.",
      "more",
      "You said more.",
    ]);
    const lengths = [thread_id, copy.thread_id].map(
      async (thread) => (await client.threads.getHistory(thread, { limit: 100 })).length,
    );
    expect(await Promise.all(lengths)).toEqual([5, 10]);
  });

  it("are changed by hand, as if by a stage", async () => {
    const { client, context, thread_id } = await serveThread(newPlace);
    await client.runs.wait(thread_id, "base", { input: HELLO, context });
    const values = { answer: "By hand." };
    const { checkpoint } = Object(
      await client.threads.updateState(thread_id, { values, asNode: "respond" }),
    );
    const state = await client.threads.getState<GraphState>(thread_id);
    expect(state).toMatchObject({
      values,
      checkpoint: { checkpoint_id: checkpoint.checkpoint_id },
    });
    const another = { values: { program: { code: "return 1;" } }, asNode: "respond" };
    await expect(client.threads.updateState(thread_id, another)).rejects.toThrow(
      "this state has no program",
    );
  });
});

/** Requests that cannot be fulfilled, and what the one-line answer must name. */
const REFUSED: [what: string, request: [string, string, unknown?], status: number, line: RegExp][] =
  [
    ["an unknown graph", ["POST", "/runs/wait", { assistant_id: "tulp" }], 404, /"tulp".*"tulip"/],
    ["an unknown assistant", ["GET", `/assistants/${NOBODY}`], 404, new RegExp(NOBODY)],
    [
      "an assistant of an unknown graph",
      ["POST", "/assistants", { graph_id: "no" }],
      404,
      /"no".*tulip/,
    ],
    ["an unknown thread", ["GET", `/threads/${NOBODY}`], 404, new RegExp(NOBODY)],
    [
      "a run on an unknown thread",
      ["POST", `/threads/${NOBODY}/runs`, { assistant_id: "base" }],
      404,
      /thread/,
    ],
    ["an unknown run", ["GET", `/threads/${NOBODY}/runs/${NOBODY}`], 404, /run/],
    ["an id that is not a UUID", ["GET", "/threads/me"], 422, /thread_id.*UUID.*"me"/],
    ["a body that is not JSON", ["POST", "/threads", "{"], 422, /not JSON/],
    [
      "a body that is nested deep",
      ["POST", "/threads", `${'{"metadata":{"a":'.repeat(30_000)}1${"}}".repeat(30_000)}`],
      422,
      /nested more than 200 deep/,
    ],
    [
      "a body of very many values",
      ["POST", "/threads", { metadata: { all: Array(30_000).fill(1) } }],
      422,
      /more than 20000 values/,
    ],
    ["no assistant", ["POST", "/runs", {}], 422, /assistant_id.*missing; text is wanted/],
    [
      "a limit that is text",
      ["POST", "/threads/search", { limit: "all" }],
      422,
      /limit.*"all" is not a number/,
    ],
    [
      "an unknown stream mode",
      ["POST", "/runs", { assistant_id: "base", stream_mode: "all" }],
      422,
      /stream_mode.*values.*"all"/,
    ],
    ["a webhook", ["POST", "/runs", { assistant_id: "base", webhook: "http://a" }], 403, /webhook/],
    [
      "an unknown action",
      ["POST", `/threads/${NOBODY}/runs/${NOBODY}/cancel?action=stop`],
      422,
      /action.*interrupt/,
    ],
    ["an unknown path", ["GET", "/runs/anything/else"], 404, /GET \/runs\/anything\/else/],
  ];

describe("a request with", () => {
  it.each(REFUSED)("%s is refused in one line that says why", async (_, request, status, line) => {
    const { url } = await serveHere({ home: newHome() });
    const [method, path, body] = request;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const answer = await fetch(`${url}${path}`, { method, body: text });
    const { message, detail } = (await answer.json()) as Record<string, string>;
    expect({ status: answer.status, message }).toEqual({
      status,
      message: expect.stringMatching(line),
    });
    expect(message).not.toContain("\n");
    expect(detail).toBe(message);
  });

  it("keys that belong to the server does not reach the graph", async () => {
    const { client } = await serveHere({ home: newHome() });
    const { context } = echoModel();
    const { thread_id } = await client.threads.create();
    const configurable = { __thread_hold: "mine", thread_id: NOBODY, run_id: NOBODY };
    const values = await client.runs.wait(thread_id, "base", {
      input: HELLO,
      context,
      config: { configurable },
    });
    expect(values).toMatchObject({ status: "answered" });
    const { values: own } = await client.threads.getState(thread_id);
    expect(own).toMatchObject({ status: "answered" });
  });
});

describe("what a server says about itself", () => {
  it("is what clients and Studio ask for first", async () => {
    const { url } = await serveHere({ home: newHome() });
    expect(await (await fetch(`${url}/ok?check_db=1`)).json()).toEqual({ ok: true });
    expect(await (await fetch(`${url}/info`)).json()).toMatchObject({
      version: expect.any(String),
      flags: { assistants: true, crons: true },
    });
  });

  it("is one clear line if its port is taken", async () => {
    const { url } = await serveHere({ home: newHome() });
    const port = Number(new URL(url).port);
    await expect(serveHere({ home: newHome() }, { port })).rejects.toThrow(
      new RegExp(`port: ${port} on 127.0.0.1 is taken.*--port`),
    );
  });
});
