import { randomUUID } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "@langchain/langgraph-sdk";
import { describe, expect, it, onTestFinished } from "vitest";
import { importTools } from "../../home/libraries.js";
import { openWorkspace } from "../../home/workspace.js";
import type { ReviewRequest } from "../../nodes/policy/askDecisions.js";
import {
  answersTo,
  fileOf,
  linesOf,
  nextCalls,
  requestOf,
  threadIn,
  writeTools,
} from "../campaigns/lines.js";
import { startChatEndpoint } from "../fakes/chatEndpoint.js";
import { hasPostgres, newDatabase, newHome } from "../fakes/homes.js";
import { ROOT, type LangGraphServer, startServer } from "../fakes/langgraphServer.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

/** A write hangs before or behind its line while such a file is there. */
const HANGING = 'existsSync(file + (existsSync(file) ? ".after" : ".before")) ? 600_000 : 10';

/** As long as other processes wait for one that gives no sign of life, and some more. */
const LEASE_MS = 60_000;

/**
 * A database of ours, a model, and tools that write lines into files, for LangGraph's own servers. Those of its platform
 * share threads, too; `dev` stores them in a folder, of which another one begins with a copy.
 */
async function startParts() {
  const [folder, database] = [newHome(), await newDatabase()];
  const { store } = openWorkspace({ home: folder, database });
  const settings = { ...TEST_LIBRARY, library: "lines", embeddings: "local:sentence-encoder" };
  const file = writeTools(folder, { pauseMs: HANGING });
  await importTools({ store, settings, file, description: "Lines" });
  const model = await startChatEndpoint(({ body }) =>
    nextCalls({ steps: [["one"]], body, file: fileOf({ folder, thread: threadIn(body) }) }),
  );
  onTestFinished(() => model.close());
  const serve = async (stored?: string) => {
    const server = await startServer({
      command: [join(ROOT, "node_modules/.bin/langgraphjs"), "dev", "--no-reload"],
      env: {
        TULIPGRAPH_DATABASE_URL: database,
        TULIPGRAPH_HOME: newHome(),
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: "none",
      },
      ...(stored ? { stored } : {}),
    });
    onTestFinished(server.stop);
    return { ...server, client: new Client({ apiUrl: server.url }) };
  };
  const { library, embeddings } = settings;
  const contextOf = (approval: string) => ({ library, embeddings, model: "openai:x", approval });
  return { serve, contextOf, of: (thread: string) => fileOf({ folder, thread }) };
}

/** Begins a run on a thread. */
async function begin(options: { client: Client; thread: string; context: object }): Promise<void> {
  const { client, thread: threadId, context } = options;
  await client.threads.create({ threadId });
  await client.runs.create(threadId, "naive_tool", {
    input: { request: requestOf(threadId) },
    context,
  });
}

async function askedOn(client: Client, thread: string): Promise<Partial<ReviewRequest>> {
  const { tasks } = await client.threads.getState(thread);
  const [asked] = tasks.flatMap(({ interrupts }) => interrupts ?? []);
  return asked?.value ?? {};
}

/** Waits until all that a server knows is stored, threads with what they ask among it. */
async function untilStored({ stored }: LangGraphServer, threads: readonly string[]): Promise<void> {
  const file = join(stored, ".langgraphjs_api.checkpointer.json");
  const isStored = () => {
    const text = existsSync(file) ? readFileSync(file, "utf8") : "";
    return threads.every((thread) => text.includes(thread));
  };
  await expect.poll(isStored, { timeout: LEASE_MS }).toBe(true);
  // It is stored three seconds after the last change.
  await sleep(5_000);
}

/** What is stored of a server that is gone no longer says that it works on runs: `dev` would wait for it for ever. */
function noteEnd({ stored }: LangGraphServer): void {
  const file = join(stored, ".langgraphjs_ops.json");
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replaceAll('"status":"running"', '"status":"interrupted"'));
}

describe.skipIf(!hasPostgres)("LangGraph's own servers on one database of ours", () => {
  const approve = { resume: { decisions: [{ type: "approve" }] } };

  it("go on with each other's approvals, and a write that is approved at two is made once", async () => {
    const { serve, contextOf, of } = await startParts();
    const context = contextOf("writes");
    const one = await serve();
    const thread = randomUUID();
    await begin({ client: one.client, thread, context });
    await expect
      .poll(() => askedOn(one.client, thread), { timeout: LEASE_MS })
      .toMatchObject({ actionRequests: [{ name: "write_line" }] });
    await untilStored(one, [thread]);
    const other = await serve(one.stored);
    expect(linesOf(of(thread))).toEqual([]);
    for (const { client } of [other, one]) {
      const ended = await client.runs.wait(thread, "naive_tool", { command: approve, context });
      expect(ended).toMatchObject({ status: "solved" });
      expect(linesOf(of(thread))).toEqual(["one"]);
    }
  });

  it("ask about writes that were under way when another one was killed, and repeat none", async () => {
    const { serve, contextOf, of } = await startParts();
    const context = contextOf("none");
    const killed = await serve();
    const [before, behind] = [randomUUID(), randomUUID()];
    const hangs = [`${of(before)}.before`, `${of(behind)}.after`];
    for (const file of hangs) writeFileSync(file, "");
    for (const thread of [before, behind]) await begin({ client: killed.client, thread, context });
    const begun = () => [before, behind].map((thread) => linesOf(`${of(thread)}.begun`));
    await expect.poll(begun, { timeout: LEASE_MS }).toEqual([["one"], ["one"]]);
    await untilStored(killed, [before, behind]);
    killed.kill();
    noteEnd(killed);
    const other = await serve(killed.stored);
    for (const file of hangs) rmSync(file);
    for (const thread of [before, behind]) {
      const asks = async () => {
        await other.client.runs.wait(thread, "naive_tool", { context, raiseError: false });
        return await askedOn(other.client, thread);
      };
      await expect.poll(asks, { timeout: LEASE_MS }).toMatchObject({ kind: "outcome" });
    }
    expect([before, behind].map((thread) => linesOf(of(thread)))).toEqual([[], ["one"]]);
    for (const thread of [before, behind]) {
      const { actionRequests = [] } = await askedOn(other.client, thread);
      const decisions = actionRequests.map(({ name, args, description = "" }) => {
        const [content] = answersTo(description, of(thread));
        return { type: "edit", editedAction: { name, args: { ...args, content } } };
      });
      const command = { resume: { decisions } };
      const ended = await other.client.runs.wait(thread, "naive_tool", { command, context });
      expect(ended).toMatchObject({ status: "solved" });
      expect(linesOf(of(thread))).toEqual(["one"]);
    }
  });
});
