import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { importTools } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import { fileOf, linesOf, nextCalls, requestOf, threadIn, writeTools } from "../campaigns/lines.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { ROOT, startServer } from "../fakes/langgraphServer.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

/** How long a write takes, in milliseconds: longer than the server needs to store what came before it. */
const WRITE_MS = 8_000;

/** LangGraph's own servers over one database of ours, a model, and tools that write lines into files. */
async function startTwo() {
  const [folder, database] = [newHome(), await newDatabase()];
  const { store } = openWorkspace({ home: folder, database });
  const settings = { ...TEST_LIBRARY, library: "lines", embeddings: "local:sentence-encoder" };
  const file = writeTools(folder, { pauseMs: WRITE_MS });
  await importTools({ store, settings, file, description: "Lines" });
  const model = await startChatEndpoint(({ body }) =>
    nextCalls({ steps: [["one"]], body, file: fileOf({ folder, thread: threadIn(body) }) }),
  );
  onTestFinished(model.close);
  const start = async (threadsOf?: string) => {
    const server = await startServer({
      command: [join(ROOT, "node_modules/.bin/langgraphjs"), "dev", "--no-reload"],
      env: {
        TULIPGRAPH_DATABASE_URL: database,
        TULIPGRAPH_HOME: newHome(),
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: "none",
      },
      threadsOf,
    });
    onTestFinished(server.stop);
    return { server, client: new Client({ apiUrl: server.url }) };
  };
  const context = { library: settings.library, embeddings: settings.embeddings, model: "openai:x" };
  const of = (thread: string) => fileOf({ folder, thread });
  return { start, of, context };
}

async function askedOn(client: Client, thread: string): Promise<ReviewRequest | undefined> {
  const { tasks } = await client.threads.getState(thread);
  const [asked] = tasks.flatMap(({ interrupts }) => interrupts ?? []);
  return asked?.value as ReviewRequest | undefined;
}

describe.skipIf(!hasPostgres)("two of LangGraph's own servers on one database", () => {
  it("share libraries and holds, and one asks about the write during which the other was killed", async () => {
    const { start, of, context } = await startTwo();
    const [one, two] = await Promise.all([start(), start()]);
    const thread = randomUUID();
    const input = { request: requestOf(thread) };
    for (const { client } of [one, two]) await client.threads.create({ threadId: thread });
    await one.client.runs.create(thread, "naive_tool", { input, context });
    await expect.poll(() => linesOf(`${of(thread)}.begun`), { timeout: 60_000 }).toEqual(["one"]);
    // The other one knows the library, and that the thread is held.
    const held = await two.client.runs.wait(thread, "naive_tool", {
      input,
      context,
      raiseError: false,
    });
    expect(JSON.stringify(held)).toContain(thread);
    expect(linesOf(`${of(thread)}.begun`)).toEqual(["one"]);
    await sleep(WRITE_MS / 2);
    one.server.kill();
    expect(linesOf(of(thread))).toEqual([]);

    // LangGraph's server keeps threads in its Postgres; the one for development keeps them in files.
    const { client } = await start(one.server.folder);
    await expect
      .poll(
        async () => {
          await client.runs.wait(thread, "naive_tool", {
            input: null,
            context,
            multitaskStrategy: "interrupt",
            raiseError: false,
          });
          return (await askedOn(client, thread))?.kind;
        },
        { timeout: 120_000, interval: 2_000 },
      )
      .toBe("outcome");
    const { actionRequests } = (await askedOn(client, thread)) as ReviewRequest;
    const decisions = actionRequests.map(({ name, args }) => ({
      type: "edit",
      editedAction: { name, args: { ...args, content: { made: false } } },
    }));
    const ended = await client.runs.wait(thread, "naive_tool", {
      command: { resume: { decisions } },
      context,
    });
    expect(ended).toMatchObject({ status: expect.stringMatching(/solved/) });
    expect(linesOf(of(thread)).length).toBeLessThanOrEqual(1);
  });

  it("go on with what was approved", async () => {
    const { start, of, context } = await startTwo();
    const { client } = await start();
    const thread = randomUUID();
    await client.threads.create({ threadId: thread });
    const settings = { ...context, approval: "writes" };
    const input = { request: requestOf(thread) };
    await client.runs.wait(thread, "naive_tool", { input, context: settings });
    expect(await askedOn(client, thread)).toMatchObject({
      actionRequests: [{ name: "write_line" }],
    });
    expect(linesOf(of(thread))).toEqual([]);
    const ended = await client.runs.wait(thread, "naive_tool", {
      command: { resume: { decisions: [{ type: "approve" }] } },
      context: settings,
    });
    expect(ended).toMatchObject({ status: "solved" });
    expect(linesOf(of(thread))).toEqual(["one"]);
  });
});
