/*
 * What LangChain's React hooks, the calls of its Agent Chat UI and the AG-UI client get from a server: a line for each check.
 * Run by tests/campaigns/clients.ts: hooks.mjs URL ASSISTANT, an assistant that asks before it writes.
 */
import { JSDOM } from "jsdom";

const { window } = new JSDOM("<div></div>", { url: "http://127.0.0.1" });
const { document, navigator, sessionStorage, HTMLElement, Node, MutationObserver } = window;
const parts = { window, document, navigator, sessionStorage, HTMLElement, Node, MutationObserver };
// Newer versions of Node have a navigator of their own, which is only read.
for (const [name, value] of Object.entries(parts))
  Object.defineProperty(globalThis, name, { value, configurable: true });
globalThis.IS_REACT_ACT_ENVIRONMENT = false;

const { renderHook, waitFor } = await import("@testing-library/react");
const { useState } = await import("react");
const protocol = await import("@langchain/react");
const sdk = await import("@langchain/langgraph-sdk/react");
const { Client } = await import("@langchain/langgraph-sdk");
const { LangGraphAgent } = await import("@ag-ui/langgraph");

const [url, asking] = process.argv.slice(2);
const patience = { timeout: 60_000, interval: 100 };
const move = (id) => `Move todo ${id} to 2026-11-27`;
const decisions = [{ type: "approve" }];
const results = [];
const write = (line) => void process.stdout.write(`${line}\n`);

async function check(name, work) {
  try {
    await work();
    results.push(true);
    write(`ok - ${name}`);
  } catch (error) {
    results.push(false);
    write(`FAILS ${String(error.message).slice(0, 500)} - ${name}`);
  }
}

function expect(isSo, what) {
  if (!isSo) throw new Error(what());
}

/** A hook that is asked something, waits for an approval, and answers once it was given. */
async function approves({ hook, submit, answer }) {
  const { result, unmount } = renderHook(hook);
  const seen = () => JSON.stringify(result.current.values)?.slice(0, 300);
  submit(result.current);
  await waitFor(() => expect(result.current.interrupt, () => `no interrupt: ${seen()}`), patience);
  const { value } = result.current.interrupt;
  expect(value.actionRequests?.length === 1, () => `no action: ${JSON.stringify(value)}`);
  answer(result.current);
  const isDone = () => result.current.values.status === "solved" && !result.current.isLoading;
  await waitFor(() => expect(isDone(), () => `not solved: ${seen()}`), patience);
  expect(result.current.messages.length > 1, () => "no messages");
  unmount();
}

await check("useStream of @langchain/react: a request, an approval, the answer", () =>
  approves({
    hook: () => protocol.useStream({ apiUrl: url, assistantId: asking }),
    submit: (stream) => void stream.submit({ request: move(1) }),
    answer: (stream) => void stream.respond({ decisions }),
  }),
);

await check("useStream of @langchain/react: a conversation that is opened again", async () => {
  const client = new Client({ apiUrl: url, apiKey: null });
  const { thread_id: threadId } = await client.threads.create();
  await client.runs.wait(threadId, "tulip", { input: { request: "What is 3 times 4?" } });
  const { result, unmount } = renderHook(() =>
    protocol.useStream({ apiUrl: url, assistantId: "tulip", threadId }),
  );
  const last = () => String(result.current.messages.at(-1)?.content);
  await waitFor(() => expect(last().includes("12"), last), patience);
  unmount();
});

await check("useStream of the SDK: a request, an approval, the answer", () =>
  approves({
    hook: () => sdk.useStream({ apiUrl: url, assistantId: asking }),
    submit: (stream) => void stream.submit({ request: move(2) }),
    answer: (stream) => void stream.submit(undefined, { command: { resume: { decisions } } }),
  }),
);

// As it calls them: src/providers of langchain-ai/agent-chat-ui.
await check("Agent Chat UI: info, a message, an approval, the list of threads", async () => {
  const info = await fetch(`${url}/info`, { headers: { "X-Api-Key": "" } });
  expect(info.ok, () => `info: ${info.status}`);
  const options = { streamMode: ["values"], streamSubgraphs: true, streamResumable: true };
  await approves({
    hook: () => {
      const [threadId, onThreadId] = useState(null);
      const thread = { threadId, onThreadId, fetchStateHistory: true };
      return sdk.useStream({ apiUrl: url, assistantId: asking, ...thread });
    },
    submit: (stream) =>
      void stream.submit(
        { messages: [{ id: "m1", type: "human", content: [{ type: "text", text: move(3) }] }] },
        { ...options, optimisticValues: (before) => ({ ...before }) },
      ),
    answer: (stream) => void stream.submit({}, { command: { resume: { decisions } } }),
  });
  const client = new Client({ apiUrl: url, apiKey: null });
  const search = { metadata: { assistant_id: asking }, limit: 100 };
  const threads = await client.threads.search(search);
  expect(threads.length > 0, () => "no threads of the assistant");
  const first = threads[0].values?.messages?.[0];
  expect(first?.content, () => `a thread without messages: ${JSON.stringify(threads[0])}`);
});

await check("@ag-ui/langgraph: a message, an approval, the answer", async () => {
  // It takes the newest assistant of a graph, which is the one that asks.
  const agent = new LangGraphAgent({ deploymentUrl: url, graphId: "tulip" });
  const events = [];
  const subscriber = { onEvent: ({ event }) => void events.push(event) };
  agent.messages = [{ id: "m1", role: "user", content: move(4) }];
  await agent.runAgent({}, subscriber);
  const types = () => events.map(({ type, name }) => name ?? type).join(" ");
  expect(/interrupt/i.test(types()), () => `no interrupt: ${types()}`);
  await agent.runAgent({ forwardedProps: { command: { resume: { decisions } } } }, subscriber);
  expect(agent.state.status === "solved", () => `not solved: ${types().slice(-300)}`);
});

write(`${results.filter(Boolean).length} of ${results.length} checks of front ends pass`);
process.exit(results.every(Boolean) ? 0 : 1);
