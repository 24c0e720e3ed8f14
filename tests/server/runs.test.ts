import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { GraphState } from "../../state/state.js";
import { inEachHome } from "../fakes/homes.js";
import { type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { all, echoModel, importInto, serveHere, serveThread } from "./support.js";

const HELLO = { request: "hello" };
const WAIT = { request: "wait" };

inEachHome("a server", (newPlace) => {
  describe("with a run in the background", () => {
    it("tells its status, and gives its result to clients that join", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      const made = await client.runs.create(thread_id, "base", { input: WAIT, context });
      expect(made).toMatchObject({ thread_id, status: "running", multitask_strategy: "reject" });
      await gate.arrived;
      expect(await client.runs.get(thread_id, made.run_id)).toMatchObject({ status: "running" });
      expect(await client.threads.get(thread_id)).toMatchObject({ status: "busy" });
      const joined = client.runs.join(thread_id, made.run_id);
      gate.open();
      expect(await joined).toMatchObject({ status: "answered", answer: "You said wait." });
      expect(await client.runs.list(thread_id)).toMatchObject([{ status: "success" }]);
      expect(await client.threads.get(thread_id)).toMatchObject({
        status: "idle",
        metadata: { graph_id: "base" },
        values: { answer: "You said wait." },
      });
    });

    it("makes one run of requests with the same Idempotency-Key, which is its id", async () => {
      const { client, url, context, questions, thread_id } = await serveThread(newPlace);
      const key = randomUUID();
      const ask = async (thread: string, header: string) =>
        await fetch(`${url}/threads/${thread}/runs/wait`, {
          method: "POST",
          headers: { "content-type": "application/json", "Idempotency-Key": header },
          body: JSON.stringify({ assistant_id: "base", input: HELLO, context }),
        });
      for (let times = 0; times < 2; times += 1) {
        const answer = await ask(thread_id, key);
        expect(await answer.json()).toMatchObject({ answer: "You said hello." });
      }
      expect(await client.runs.list(thread_id)).toMatchObject([{ run_id: key }]);
      expect(questions).toHaveLength(1);
      const other = await client.threads.create();
      expect((await ask(other.thread_id, key)).status).toBe(409);
      expect((await ask(thread_id, "mine")).status).toBe(422);
      const together = randomUUID();
      const answers = await Promise.all([1, 2, 3].map(() => ask(other.thread_id, together)));
      for (const answer of answers)
        expect(await answer.json()).toMatchObject({ answer: "You said hello." });
      expect(await client.runs.list(other.thread_id)).toMatchObject([{ run_id: together }]);
    });

    it("takes a list of runs as LangGraph's client sends it, whose names are its own", async () => {
      const { client, context } = await serveThread(newPlace);
      const run = { assistantId: "base", input: HELLO, context, afterSeconds: 600 };
      const made = await client.runs.createBatch([run, { ...run, metadata: { at: 2 } }]);
      expect(made).toMatchObject([
        { status: "pending" },
        { status: "pending", metadata: { at: 2 } },
      ]);
      const misspelt = { ...run, streamMod: "values" };
      const wrong = client.runs.createBatch([misspelt]);
      await expect(wrong).rejects.toThrow(/422.*stream_mod/);
      await client.runs.cancelMany({ runIds: made.map(({ run_id }) => run_id) });
    });

    it("gives its result to a client that waits for it while the server closes", async () => {
      const { client, close } = await serveHere(await newPlace());
      const { context, gate, questions } = echoModel();
      const waiting = client.runs.wait(null, "base", { input: WAIT, context });
      const streamed = all(client.runs.stream(null, "base", { input: WAIT, context }));
      await expect.poll(() => questions.length).toBe(2);
      const closed = close();
      gate.open();
      expect(await waiting).toMatchObject({ answer: "You said wait." });
      expect((await streamed).at(-1)).toMatchObject({ data: { answer: "You said wait." } });
      await closed;
    });

    it("shows a failure in the run and in the thread", async () => {
      const { client } = await serveHere(await newPlace());
      const { thread_id } = await client.threads.create();
      const run = await client.runs.create(thread_id, "base", { input: {} });
      expect(await client.runs.join(thread_id, run.run_id)).toMatchObject({
        __error__: { error: "InvalidSetting", message: expect.stringContaining("request") },
      });
      expect(await client.runs.get(thread_id, run.run_id)).toMatchObject({ status: "error" });
      expect(await client.threads.get(thread_id)).toMatchObject({
        status: "error",
        error: expect.stringContaining("request"),
      });
    });
  });

  describe("with a stateless run", () => {
    it("keeps nothing of its thread", async () => {
      const { client } = await serveHere(await newPlace());
      const { context } = echoModel();
      let thread = "";
      const values = await client.runs.wait(null, "base", {
        input: HELLO,
        context,
        onRunCreated: ({ thread_id = "" }) => (thread = thread_id),
      });
      expect(values).toMatchObject({ answer: "You said hello." });
      expect(thread).toBe("");
      expect(await client.threads.search()).toEqual([]);
    });
  });

  describe("whose client lost the connection in the middle of a stream", () => {
    it("goes on after the last event that the client has, without losing or repeating one", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      const left = new AbortController();
      const seen: string[] = [];
      let run = "";
      const stream = client.runs.stream(thread_id, "base", {
        input: WAIT,
        context,
        streamMode: ["values", "updates", "tasks"],
        signal: left.signal,
        onRunCreated: ({ run_id }) => (run = run_id),
      });
      for await (const { id, event } of stream) {
        seen.push(`${id} ${event}`);
        // The first stage has ended, and the second waits for its model.
        if (event === "updates") break;
      }
      left.abort();
      await gate.arrived;
      const lastEventId = String(seen.at(-1)?.split(" ")[0]);
      const rest = all(client.runs.joinStream(thread_id, run, { lastEventId }));
      gate.open();
      for (const { id, event } of await rest) seen.push(`${id} ${event}`);
      const whole = await all(client.runs.joinStream(thread_id, run, { lastEventId: "-1" }));
      expect(seen).toEqual(whole.map(({ id, event }) => `${id} ${event}`));
      expect(seen.filter((line) => line.endsWith("updates"))).toHaveLength(3);
      expect(await client.runs.get(thread_id, run)).toMatchObject({ status: "success" });
    });

    it("ends the run if that was asked for", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      const left = new AbortController();
      let run = "";
      const stream = client.runs.stream(thread_id, "base", {
        input: WAIT,
        context,
        onDisconnect: "cancel",
        signal: left.signal,
        onRunCreated: ({ run_id }) => (run = run_id),
      });
      for await (const { event } of stream) if (event === "metadata") break;
      await gate.arrived;
      left.abort();
      await client.runs.join(thread_id, run);
      expect(await client.runs.get(thread_id, run)).toMatchObject({ status: "interrupted" });
      gate.open();
    });
  });

  describe("asked for a run on a thread that is busy", () => {
    it("refuses it by default", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      await client.runs.create(thread_id, "base", { input: WAIT, context });
      await expect(
        client.runs.create(thread_id, "base", { input: HELLO, context }),
      ).rejects.toThrow(/422.*already running/);
      gate.open();
    });

    it("lets it wait for its turn with enqueue", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      await client.runs.create(thread_id, "base", { input: WAIT, context });
      const how = { input: HELLO, context, multitaskStrategy: "enqueue" } as const;
      const second = client.runs.wait(thread_id, "base", how);
      await gate.arrived;
      gate.open();
      const { messages } = (await second) as unknown as GraphState;
      expect(messages.map(({ content }) => content)).toEqual([
        "wait",
        "You said wait.",
        "hello",
        "You said hello.",
      ]);
    });

    it("ends the other one with interrupt, and keeps what it has done", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      const first = await client.runs.create(thread_id, "base", { input: WAIT, context });
      await gate.arrived;
      const how = { input: HELLO, context, multitaskStrategy: "interrupt" } as const;
      const second = client.runs.wait(thread_id, "base", how);
      expect(await second).toMatchObject({ answer: "You said hello." });
      expect(await client.runs.get(thread_id, first.run_id)).toMatchObject({
        status: "interrupted",
      });
      const history = await client.threads.getHistory(thread_id, { limit: 100 });
      const runs = new Set(history.map(({ metadata }) => Object(metadata).run_id as string));
      expect(runs).toContain(first.run_id);
      gate.open();
    });

    it("undoes the other one with rollback", async () => {
      const { client, context, gate, thread_id } = await serveThread(newPlace);
      const first = await client.runs.create(thread_id, "base", { input: WAIT, context });
      await gate.arrived;
      const how = { input: HELLO, context, multitaskStrategy: "rollback" } as const;
      const { messages } = (await client.runs.wait(
        thread_id,
        "base",
        how,
      )) as unknown as GraphState;
      expect(messages.map(({ content }) => content)).toEqual(["hello", "You said hello."]);
      await expect(client.runs.get(thread_id, first.run_id)).rejects.toThrow(/404/);
      gate.open();
    });
  });

  describe("asked to cancel", () => {
    it("ends a run that is worked on, and one that waits", async () => {
      const { client } = await serveHere(await newPlace(), { concurrency: 1 });
      const { context, gate } = echoModel();
      const threads = [await client.threads.create(), await client.threads.create()];
      const runs = [];
      for (const { thread_id } of threads) {
        runs.push(await client.runs.create(thread_id, "base", { input: WAIT, context }));
      }
      await gate.arrived;
      for (const { thread_id, run_id } of runs.toReversed()) {
        await client.runs.cancel(thread_id, run_id, true);
        expect(await client.runs.get(thread_id, run_id)).toMatchObject({ status: "interrupted" });
        expect(await client.threads.get(thread_id)).toMatchObject({ status: "idle" });
      }
      gate.open();
    });
  });

  it("lets a write wait for an approval, and makes it once it is given", async () => {
    const place = await newPlace();
    await importInto(place);
    const { client } = await serveHere(place);
    const file = join(place.home, "lines.txt");
    const { spec } = scriptedModel(({ messages }): Reply => {
      if (messages.at(-1)?.getType() === "tool") return { text: "Done." };
      return { calls: [{ name: "write_line", args: { file, line: "one" } }] };
    });
    const context = { ...TEST_LIBRARY, model: spec, approval: "writes" };
    const { thread_id } = await client.threads.create();
    const input = { request: "Write a line" };
    const asked = await client.runs.wait(thread_id, "naive_tool", { input, context });
    expect(asked).toMatchObject({ __interrupt__: [{ value: expect.anything() }] });
    const waiting = await client.threads.search({ status: "interrupted" });
    expect(waiting).toMatchObject([{ thread_id }]);
    expect(Object.values(waiting[0]?.interrupts ?? {}).flat()).toHaveLength(1);
    const command = { resume: { decisions: [{ type: "approve" }] } };
    const done = await client.runs.wait(thread_id, "naive_tool", { command, context });
    expect(done).toMatchObject({ calls: [{ tool: "write_line", result: "written: one" }] });
    expect(readFileSync(file, "utf8")).toBe("one\n");
  });
});
