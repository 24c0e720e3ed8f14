import { join } from "node:path";
import { Client } from "@langchain/langgraph-sdk";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLibrary } from "../../workspace/libraries.js";
import { closeWorkspaces, openWorkspace } from "../../workspace/workspace.js";
import { LOCAL_EMBEDDINGS } from "../../state/context.js";
import type { GraphState } from "../../state/state.js";
import { BROKEN_SQUARE_ROOT, SQUARE_ROOT } from "../fakes/drafts.js";
import {
  type ChatBody,
  type ChatEndpoint,
  type Completion,
  startChatEndpoint,
} from "../fakes/chatEndpoint.js";
import { type LangGraphServer, ROOT, startServer } from "../fakes/langgraphServer.js";

const REQUEST = "Create a tool that computes the square root of a number.";
const LIBRARY = { library: "session", embeddings: LOCAL_EMBEDDINGS };
const SETTINGS = { model: "openai:scripted", library: LIBRARY.library, approveEdits: true };

let endpoint: ChatEndpoint;
let server: LangGraphServer;
let client: Client;

beforeAll(async () => {
  await createLibrary({ store: openWorkspace().store, context: LIBRARY });
  const command = join(ROOT, "node_modules/.bin/langgraphjs");
  endpoint = await startChatEndpoint(({ body }) => replyTo(body));
  server = await startServer({
    command: [command, "dev", "--no-reload"],
    env: { OPENAI_API_KEY: "none", OPENAI_BASE_URL: endpoint.url },
  });
  client = new Client({ apiUrl: server.url });
});
afterAll(async () => {
  await server.stop();
  await endpoint.close();
  await closeWorkspaces();
});

/** Wishes for the tool, writes it in two drafts, and stops. */
function replyTo({ messages = [], tools }: ChatBody): Completion {
  if (tools === undefined) {
    const isFirst = !JSON.stringify(messages).includes("cannot be used");
    return { content: isFirst ? BROKEN_SQUARE_ROOT : SQUARE_ROOT };
  }
  const task_description = "Square root of a number.";
  return messages.some(({ role }) => role === "tool")
    ? { calls: [{ name: "stop", arguments: { message: "It is there.", solved: true } }] }
    : { calls: [{ name: "create_tool", arguments: { task_description } }] };
}

it("a change of the library waits over the API for a decision, and goes on with it", async () => {
  const { thread_id } = await client.threads.create();
  await client.runs.wait(thread_id, "auto_tulip", {
    input: { request: REQUEST },
    context: SETTINGS,
  });
  const { tasks } = await client.threads.getState(thread_id);
  const [waiting] = tasks.flatMap(({ interrupts }) => interrupts);
  expect(waiting?.value).toMatchObject({
    kind: "edit",
    change: "create",
    tool: "square_root",
    code: expect.stringContaining("export function square_root"),
    tests: expect.arrayContaining([expect.stringMatching(/^square_root\(.*: passed$/)]),
    problem: "",
  });
  const code = Object(waiting?.value).code as string;

  const decide = async (decision: Record<string, unknown>) => {
    await client.runs.wait(thread_id, "auto_tulip", {
      command: { resume: { decisions: [decision] } },
      context: SETTINGS,
    });
    return client.threads.getState<GraphState>(thread_id);
  };
  const refused = await decide({ type: "edit", code: "no code" });
  const [again] = refused.tasks.flatMap(({ interrupts }) => interrupts);
  expect(again?.value).toMatchObject({ kind: "edit", problem: expect.stringMatching(/no code/) });

  const own = code.replace("/**", "/**\n * By hand.");
  const { values } = await decide({ type: "edit", code: own });
  expect(values).toMatchObject({
    status: "solved",
    edits: [{ tool: "square_root", outcome: "done" }],
  });
  const library = await openWorkspace().library({ ...LIBRARY, threadId: thread_id });
  expect(library.get("square_root")?.description).toContain("By hand.");
  expect(library.history("square_root")[0]?.note?.approval?.decision).toBe("edited");
});
