import { MemorySaver } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import { type AgentMiddleware, createAgent } from "langchain";
import { onTestFinished } from "vitest";
import { type ToolSearchSettings, createToolSearch } from "../../index.js";
import type { MiddlewareOptions } from "../../agents/createToolSearch.js";
import { type ChatBody, type Completion, startChatEndpoint } from "../fakes/chatEndpoint.js";
import { TEST_LIBRARY } from "../fakes/testLibrary.js";

/** The model's reply to a request; also given how often it was asked before. */
export type Script = (body: ChatBody, at: number) => Completion | { status: number; body: unknown };

/** A scripted chat model over HTTP, and the requests it received. */
export async function scriptedChat(script: Script) {
  const endpoint = await startChatEndpoint(({ body }, at) => ({
    id: `reply-${crypto.randomUUID()}`,
    ...script(body, at),
  }));
  onTestFinished(() => endpoint.close());
  const chat = new ChatOpenAI({
    model: "double",
    apiKey: "none",
    maxRetries: 0,
    configuration: { baseURL: endpoint.url },
  });
  return { chat, bodies: endpoint.bodies };
}

/** LangChain's own agent with the tools of the test library. */
export async function testAgent(options: {
  script: Script;
  search?: Partial<ToolSearchSettings>;
  middleware?: MiddlewareOptions;
  others?: AgentMiddleware[];
  checkpointer?: MemorySaver | false;
}) {
  const { script, others = [], checkpointer = new MemorySaver() } = options;
  const { chat, bodies } = await scriptedChat(script);
  const search = await createToolSearch({ ...TEST_LIBRARY, ...options.search });
  const agent = createAgent({
    model: chat,
    middleware: [
      ...others,
      search.middleware({ offer: "bound", ...options.middleware }),
    ] as AgentMiddleware[],
    checkpointer,
  });
  return { agent, bodies, checkpointer };
}

/** Names of the tools in a request to the model. */
export function toolsOf({ tools = [] }: ChatBody): unknown[] {
  return tools.map((tool) => tool.function["name"]);
}

/** Texts of tool results in a request to the model. */
export function resultsOf({ messages = [] }: ChatBody): unknown[] {
  return messages.filter(({ role }) => role === "tool").map(({ content }) => content);
}

export function onThread(thread: string) {
  return { configurable: { thread_id: thread } };
}

export function says(content: string) {
  return { messages: [{ role: "user" as const, content }] };
}
