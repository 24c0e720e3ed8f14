import { tool } from "@langchain/core/tools";
import { ToolMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, ReducedValue, StateSchema } from "@langchain/langgraph";
import { ChatOpenAI } from "@langchain/openai";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  llmToolSelectorMiddleware,
} from "langchain";
import { z } from "zod";
import { type ToolSearch, createToolSearch } from "../../../integrations/createToolSearch.js";
import { FIND_TOOLS } from "../../../integrations/controlTools.js";
import { openEmbeddings } from "../../../models/embeddings.js";
import { LOCAL_EMBEDDINGS } from "../../../state/context.js";
import type { ToolDefinition } from "../../../tools/tool.js";
import type { SearchForm } from "./oracleEndpoint.js";

/** An agent of the comparison: its name, how its model searches, and how to make it for an endpoint. */
export interface ComparedAgent {
  name: string;
  search?: SearchForm;
  make: (url: string) => Promise<{ invoke: (request: string) => Promise<unknown> }>;
}

/** The agents of the comparison, all with the tools of one library and default settings. */
export function comparedAgents(options: {
  library: string;
  home: string;
  tools: readonly ToolDefinition[];
}): ComparedAgent[] {
  const { library, home, tools } = options;
  const opened = createToolSearch({ library, home, approval: "none" });
  return [
    {
      name: "createToolSearch",
      search: {
        name: FIND_TOOLS,
        callsFor: (queries) => [{ name: FIND_TOOLS, args: { queries } }],
        phrasesOf: ({ queries }) => queries as string[],
      },
      make: async (url) => agentAt({ url, middleware: [(await opened).middleware()] }),
    },
    {
      name: "llmToolSelectorMiddleware",
      make: async (url) =>
        agentAt({
          url,
          tools: callableTools(tools, await opened),
          middleware: [llmToolSelectorMiddleware({})],
        }),
    },
    {
      name: "retrieve_tools (design of langgraph-bigtool)",
      search: {
        name: RETRIEVE_TOOLS,
        callsFor: (phrases) => phrases.map((query) => ({ name: RETRIEVE_TOOLS, args: { query } })),
        phrasesOf: ({ query }) => [query as string],
      },
      make: async (url) =>
        agentAt({ url, middleware: [await retrievedTools(callableTools(tools, await opened))] }),
    },
  ];
}

function agentAt(options: { url: string; tools?: CallableTool[]; middleware: readonly object[] }) {
  const { url, tools = [], middleware } = options;
  const model = new ChatOpenAI({
    model: "oracle",
    apiKey: "none",
    configuration: { baseURL: url },
  });
  const agent = createAgent({ model, tools, middleware: middleware as AgentMiddleware[] });
  return {
    invoke: (content: string) => agent.invoke({ messages: [{ role: "user", content }] }),
  };
}

/** LangChain tools, for agents that are given all tools at once; they do the same work as the others. */
function callableTools(tools: readonly ToolDefinition[], search: ToolSearch) {
  const [, call] = search.tools();
  return tools.map(({ id, description, parameters }) =>
    tool(
      async (args: Record<string, unknown>) => {
        const called = { tool: id, arguments: args };
        const result = await call.invoke({
          name: call.name,
          args: called,
          id: crypto.randomUUID(),
          type: "tool_call",
        });
        return (result as ToolMessage).text;
      },
      { name: id, description, schema: parameters },
    ),
  );
}

type CallableTool = ReturnType<typeof callableTools>[number];

const RETRIEVE_TOOLS = "retrieve_tools";

/** The default number of tools for one query in langgraph-bigtool. */
const RETRIEVED = 2;

const ids = z.array(z.string());

/**
 * The design documented by langgraph-bigtool, which exists for Python only: a tool that retrieves tools from a vector
 * store, embedded as "name: description", and an agent whose model sees that tool and the retrieved ones.
 */
async function retrievedTools(tools: CallableTool[]) {
  const embeddings = await openEmbeddings(LOCAL_EMBEDDINGS);
  const dims = (await embeddings.embedQuery("dimensions")).length;
  const store = new InMemoryStore({ index: { dims, embeddings, fields: ["description"] } });
  for (const { name, description } of tools) {
    await store.put(["tools"], name, { description: `${name}: ${description}` });
  }
  const byName = new Map(tools.map((each) => [each.name, each]));
  const retrieve = tool(
    async ({ query }, { toolCallId = "" }: { toolCallId?: string }) => {
      const found = await store.search(["tools"], { query, limit: RETRIEVED });
      const keys = found.map(({ key }) => key);
      const content = `Available tools: ${JSON.stringify(keys)}`;
      const messages = [new ToolMessage({ content, tool_call_id: toolCallId })];
      return new Command({ update: { messages, _selected: keys } });
    },
    {
      name: RETRIEVE_TOOLS,
      description: "Retrieve a tool to use, given a search query.",
      schema: z.object({ query: z.string().describe("The search query") }),
    },
  );
  const stateSchema = new StateSchema({
    _selected: new ReducedValue(
      ids.default(() => []),
      { inputSchema: ids, reducer: (before, found) => [...new Set([...before, ...found])] },
    ),
  });
  return createMiddleware({
    name: "RetrievedTools",
    stateSchema,
    tools: [retrieve],
    wrapModelCall: (request, handler) => {
      const selected = (request.state._selected ?? []).flatMap((name) => byName.get(name) ?? []);
      return handler({ ...request, tools: [...request.tools, ...selected] });
    },
    wrapToolCall: (request, handler) =>
      handler({ ...request, tool: request.tool ?? byName.get(request.toolCall.name) }),
  });
}
