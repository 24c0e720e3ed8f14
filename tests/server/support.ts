import { resolve } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { onTestFinished } from "vitest";
import { startServer } from "../../server/serve.js";
import { DEFAULT_SETTINGS, type ServerSettings } from "../../server/server.js";
import type { DataPlace } from "../../storage/database.js";
import { openWorkspace } from "../../home/workspace.js";
import { type Reply, scriptedModel } from "../fakes/scriptedModel.js";
import { TEST_LIBRARY, importFixture } from "../fakes/testLibrary.js";

/** A server in this process, and its client. */
export interface ServerHere {
  url: string;
  client: Client;
  close: () => Promise<void>;
}

/** Starts a server that is closed at the end of the test at the latest. */
export async function serveHere(
  place: DataPlace,
  settings: Partial<ServerSettings> = {},
): Promise<ServerHere> {
  const { url, close } = await startServer({ ...DEFAULT_SETTINGS, place, port: 0, ...settings });
  let isClosed = false;
  const closeOnce = async () => {
    if (!isClosed) await close();
    isClosed = true;
  };
  onTestFinished(closeOnce);
  const callerOptions = { maxRetries: 0 };
  return { url, client: new Client({ apiUrl: url, callerOptions }), close: closeOnce };
}

/** Puts the tests' small library into a home. */
export async function importInto(place: DataPlace): Promise<void> {
  await importFixture({
    store: openWorkspace({ home: place.home, database: place.url }).store,
    settings: TEST_LIBRARY,
    file: resolve("tests/fixtures/library/tools.ts"),
    description: "Numbers and greetings",
  });
}

/** A gate at which a model waits. */
export function makeGate() {
  const opened = makeSignal();
  const arrived = makeSignal();
  return {
    open: opened.give,
    /** Resolves when a model has reached it. */
    arrived: arrived.given,
    pass: async () => {
      arrived.give();
      await opened.given;
    },
  };
}

function makeSignal() {
  const abort = new AbortController();
  const given = new Promise<void>((done) => abort.signal.addEventListener("abort", () => done()));
  return { give: () => abort.abort(), given };
}

/** A model that repeats the last message; if that says "wait", only once the gate is open. */
export function echoModel(gate = makeGate()) {
  const { spec, questions } = scriptedModel(async ({ messages }): Promise<Reply> => {
    const text = messages.at(-1)?.text ?? "";
    if (text.includes("wait")) await gate.pass();
    return { text: `You said ${text}.` };
  });
  return { context: { model: spec }, questions, gate };
}

/** A server with a thread, and the echoing model to run on it. */
export async function serveThread(newPlace: () => Promise<DataPlace>) {
  const { client, url } = await serveHere(await newPlace());
  const { thread_id } = await client.threads.create();
  return { client, url, thread_id, ...echoModel() };
}

/** Everything that an asynchronous iteration yields. */
export async function all<Part>(parts: AsyncIterable<Part>): Promise<Part[]> {
  const found: Part[] = [];
  for await (const part of parts) found.push(part);
  return found;
}
