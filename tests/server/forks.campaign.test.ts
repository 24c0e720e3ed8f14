import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Client, type ThreadState } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importTools } from "../../home/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../home/workspace.js";
import { LOCAL_EMBEDDINGS, OFFLINE_MODEL } from "../../state/settings.js";
import type { GraphState } from "../../state/state.js";
import {
  type ChatBody,
  type ChatEndpoint,
  type Completion,
  startChatEndpoint,
} from "../fakes/chatEndpoint.js";
import { type LangGraphServer, startServer } from "../fakes/langgraphServer.js";
import { programFile } from "../fakes/programs.js";

const OFFLINE = { model: OFFLINE_MODEL };

/** A model that calls the tool that the request names, and then stops; and tools that leave traces. */
const SCRIPTED = { model: "openai:scripted", library: "traces", threshold: 0, approval: "none" };

const folder = mkdtempSync(join(tmpdir(), "tulipgraph-forks-"));
const log = join(folder, "log.txt");
const gate = join(folder, "gate");
let server: LangGraphServer;
let endpoint: ChatEndpoint;
let client: Client;

beforeAll(async () => {
  // Embedded once beforehand, which takes most of the time of a first run.
  await openWorkspace().library({ library: "math", embeddings: LOCAL_EMBEDDINGS });
  await importTools({
    store: openWorkspace().store,
    settings: { library: SCRIPTED.library, embeddings: LOCAL_EMBEDDINGS },
    file: resolve("tests/fixtures/cli/slow.ts"),
    description: "Tools that write down each start and wait for a gate",
  });
  endpoint = await startChatEndpoint(({ body }) => replyTo(body));
  server = await startServer({
    command: [process.execPath, programFile("tests/fakes/commandLine.ts"), "serve"],
    env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: endpoint.url },
    isOurs: true,
  });
  client = new Client({ apiUrl: server.url });
});
afterAll(async () => {
  await server.stop();
  await endpoint.close();
  await closeWorkspaces();
  rmSync(folder, { recursive: true, force: true });
});

describe("a fork", () => {
  it("goes on from before a stage with other settings, and leaves what there was", async () => {
    const thread = await newThread();
    const request = "What is 7 * 8?";
    await client.runs.wait(thread, "naive_tool", { input: { request }, context: OFFLINE });
    const before = await client.threads.getHistory<GraphState>(thread, { limit: 100 });
    const beforeAct = before.findLast(({ next }) => next.includes("act"));
    const limited = { ...OFFLINE, maxModelCalls: 1 };
    const checkpointId = beforeAct?.checkpoint.checkpoint_id ?? "none";
    await client.runs.wait(thread, "naive_tool", { context: limited, checkpointId });
    const forked = await client.threads.getState<GraphState>(thread);
    expect(forked.values).toMatchObject({ status: "limit", usage: { modelCalls: 1 } });
    expect(forked.values.run).toEqual(before[0]?.values.run);
    await expectKept(thread, before);
  });

  it("from before a call that was made is answered from the journal", async () => {
    open(gate);
    rmSync(log, { force: true });
    const thread = await newThread();
    const input = { request: "send_away" };
    await client.runs.wait(thread, "naive_tool", { input, context: SCRIPTED });
    const before = await client.threads.getHistory<GraphState>(thread, { limit: 100 });
    const checkpointId =
      before.find(({ next }) => next.includes("execute"))?.checkpoint.checkpoint_id ?? "none";
    await client.runs.wait(thread, "naive_tool", { context: SCRIPTED, checkpointId });
    const forked = await client.threads.getState<GraphState>(thread);
    expect(forked.values.status).toBe("solved");
    expect(forked.values.calls).toEqual(before[0]?.values.calls);
    expect(forked.values.calls).toMatchObject([{ tool: "send_away", result: "sent" }]);
    expect(lines()).toEqual(["sent"]);
    await expectKept(thread, before);
  });
});

/** Calls the tool that the last request of a user names; stops when it has been called. */
function replyTo({ messages = [] }: ChatBody): Completion {
  const last = messages.at(-1);
  if (last?.role === "tool") {
    return {
      calls: [{ name: "stop", arguments: { message: "It was looked up, or sent.", solved: true } }],
    };
  }
  const asked = messages.filter(({ role }) => role === "user").map(({ content }) => content);
  const name = /send_away|look_up/.exec(String(asked.at(-1)))?.[0] ?? "none";
  return { calls: [{ id: `call_${name}`, name, arguments: { log, gate } }] };
}

async function newThread(): Promise<string> {
  return (await client.threads.create()).thread_id;
}

function open(file: string): void {
  writeFileSync(file, "");
}

/** The whole lines of the log, of which the last may be just being written. */
function lines(): string[] {
  return existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : [];
}

/** Each checkpoint that there was is there still, and says the same. */
async function expectKept(thread: string, before: ThreadState<GraphState>[]): Promise<void> {
  const after = await client.threads.getHistory<GraphState>(thread, { limit: 200 });
  expect(after.length).toBeGreaterThan(before.length);
  const byId = new Map(after.map((state) => [state.checkpoint.checkpoint_id, state]));
  const kept = before.map(({ checkpoint }) => byId.get(checkpoint.checkpoint_id)?.values);
  expect(kept).toEqual(before.map(({ values }) => values));
}
