import {
  ProtocolSseTransportAdapter,
  ProtocolWebSocketTransportAdapter,
  ThreadStream,
} from "@langchain/langgraph-sdk";
import { expect, it, onTestFinished } from "vitest";
import { WebSocket } from "ws";
import { inEachHome } from "../fakes/homes.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";
import { echoModel, importInto, serveHere } from "./support.js";

const HELLO = { messages: [{ role: "user", content: "hello" }] };

async function servedThread(newPlace: Parameters<Parameters<typeof inEachHome>[1]>[0]) {
  const place = await newPlace();
  await importInto(place);
  const { url, client } = await serveHere(place);
  const threadId = crypto.randomUUID();
  const open = () => {
    const transport = new ProtocolSseTransportAdapter({ apiUrl: url, threadId });
    const thread = new ThreadStream(transport, { assistantId: "base" });
    onTestFinished(() => thread.close());
    return thread;
  };
  const context = { ...TEST_LIBRARY, ...echoModel().context };
  return { url, client, threadId, open, start: { input: HELLO, context } as never };
}

inEachHome("LangGraph's streaming protocol", (newPlace) => {
  it("gives the SDK's thread stream a run's states and its end, and once more to a stream that is opened later", async () => {
    const { open, start } = await servedThread(newPlace);
    const thread = open();
    await thread.run.start(start);
    expect(await thread.output).toMatchObject({ answer: "You said hello." });
    const later = open();
    const events = await later.subscribe({ channels: ["lifecycle"] });
    const told: unknown[] = [];
    for await (const { params } of events) {
      // Stages begin and end, too.
      if (params.namespace.length === 0) told.push(params.data);
      if (told.length === 2) break;
    }
    expect(told).toMatchObject([{ event: "running" }, { event: "completed" }]);
  });

  it("goes on after the event that a reader had last", async () => {
    const { url, threadId, open, start } = await servedThread(newPlace);
    const thread = open();
    await thread.run.start(start);
    await thread.output;
    const read = async (since?: number) => {
      const left = new AbortController();
      const answer = await fetch(`${url}/threads/${threadId}/stream/events`, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ channels: ["values", "lifecycle"], since }),
        signal: left.signal,
      });
      let text = "";
      const decoder = new TextDecoder();
      for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
        text += decoder.decode(part);
        if (text.includes('"completed"')) break;
      }
      left.abort();
      return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
    };
    const all = await read();
    expect(all).toEqual(all.toSorted((a, b) => a - b));
    expect(await read(all[1])).toEqual(all.slice(2));
  });

  it("goes over one WebSocket, too, which a reader opens again when it breaks, and misses nothing", async () => {
    const { url, threadId, start } = await servedThread(newPlace);
    const sockets: WebSocket[] = [];
    const webSocketFactory = (address: string) => {
      const socket = new WebSocket(address);
      sockets.push(socket);
      return socket as unknown as globalThis.WebSocket;
    };
    const transport = new ProtocolWebSocketTransportAdapter({
      apiUrl: url,
      threadId,
      webSocketFactory,
      reconnectDelayMs: () => 0,
    });
    const thread = new ThreadStream(transport, { assistantId: "base" });
    onTestFinished(() => thread.close());
    await thread.run.start(start);
    expect(await thread.output).toMatchObject({ answer: "You said hello." });
    sockets[0]?.terminate();
    await expect.poll(() => sockets.length).toBe(2);
    const events = await thread.subscribe({ channels: ["lifecycle"] });
    const told: unknown[] = [];
    for await (const { params } of events) {
      if (params.namespace.length === 0) told.push(params.data);
      if (told.length === 2) break;
    }
    // In any order: the client gives a new subscription what older ones on the socket still replay, too.
    expect(told).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: "running" }),
        expect.objectContaining({ event: "completed" }),
      ]),
    );
  });

  it("takes commands over a WebSocket as over its routes, and tells each what was wrong with it", async () => {
    const { url, client, threadId, start } = await servedThread(newPlace);
    const socket = new WebSocket(`${url.replace("http", "ws")}/threads/${threadId}/stream/events`);
    onTestFinished(() => socket.terminate());
    const answers: Record<string, unknown>[] = [];
    socket.on("message", (text: Buffer) =>
      answers.push(JSON.parse(text.toString()) as Record<string, unknown>),
    );
    await new Promise((done) => socket.on("open", done));
    const send = async (command: object) => {
      const before = answers.length;
      socket.send(JSON.stringify(command));
      await expect.poll(() => answers.length).toBeGreaterThan(before);
      return answers[before];
    };
    expect(await send({ id: 1, method: "subscription.subscribe", params: {} })).toMatchObject({
      type: "error",
      id: 1,
      error: "invalid_argument",
    });
    const asked = { assistant_id: "base", colour: "red" };
    expect(await send({ id: 2, method: "run.start", params: asked })).toMatchObject({
      id: 2,
      message: expect.stringContaining("colour") as string,
    });
    const subscribed = await send({
      id: 3,
      method: "subscription.subscribe",
      params: { channels: ["lifecycle"] },
    });
    const { subscription_id } = (subscribed as { result: { subscription_id: string } }).result;
    await send({
      id: 4,
      method: "run.start",
      params: { ...(start as object), assistant_id: "base" },
    });
    await expect
      .poll(() => answers.filter(({ type }) => type === "event").length)
      .toBeGreaterThan(1);
    await send({ id: 5, method: "subscription.unsubscribe", params: { subscription_id } });
    expect(await client.threads.get(threadId)).toMatchObject({ thread_id: threadId });
  });

  it("answers a command that it does not know with an error, and refuses parameters that it does not know", async () => {
    const { url, client } = await servedThread(newPlace);
    const { thread_id } = await client.threads.create();
    const send = async (body: object) => {
      const answer = await fetch(`${url}/threads/${thread_id}/commands`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      return { status: answer.status, answer: (await answer.json()) as object };
    };
    expect(await send({ id: 1, method: "state.fork" })).toMatchObject({
      status: 200,
      answer: { type: "error", id: 1, error: "not_supported" },
    });
    const asked = { assistant_id: "base", input: HELLO, colour: "red" };
    expect(await send({ id: 2, method: "run.start", params: asked })).toMatchObject({
      status: 422,
    });
  });
});
