import { randomUUID } from "node:crypto";
import { join } from "node:path";
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

/** LangGraph's own server over a database of ours, a model, and tools that write lines into files. */
async function startOne() {
  const [folder, database] = [newHome(), await newDatabase()];
  const { store } = openWorkspace({ home: folder, database });
  const settings = { ...TEST_LIBRARY, library: "lines", embeddings: "local:sentence-encoder" };
  const file = writeTools(folder, { pauseMs: 10 });
  await importTools({ store, settings, file, description: "Lines" });
  const model = await startChatEndpoint(({ body }) =>
    nextCalls({ steps: [["one"]], body, file: fileOf({ folder, thread: threadIn(body) }) }),
  );
  onTestFinished(() => model.close());
  const server = await startServer({
    command: [join(ROOT, "node_modules/.bin/langgraphjs"), "dev", "--no-reload"],
    env: {
      TULIPGRAPH_DATABASE_URL: database,
      TULIPGRAPH_HOME: newHome(),
      OPENAI_BASE_URL: model.url,
      OPENAI_API_KEY: "none",
    },
  });
  onTestFinished(server.stop);
  const context = { library: settings.library, embeddings: settings.embeddings, model: "openai:x" };
  const of = (thread: string) => fileOf({ folder, thread });
  return { client: new Client({ apiUrl: server.url }), of, context };
}

async function askedOn(client: Client, thread: string): Promise<ReviewRequest | undefined> {
  const { tasks } = await client.threads.getState(thread);
  const [asked] = tasks.flatMap(({ interrupts }) => interrupts ?? []);
  return asked?.value as ReviewRequest | undefined;
}

describe.skipIf(!hasPostgres)("LangGraph's own server on a database of ours", () => {
  it("finds the library there, asks before a write, and makes it once when it is approved", async () => {
    const { client, of, context } = await startOne();
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
