import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { o200kTokens } from "../../oracle/countTokens.js";
import type { GoldTask } from "../../oracle/goldTask.js";
import { follow, isDone } from "../../oracle/followSolution.js";
import { oracleReply } from "../../oracle/replies.js";
import { jsonOrNothing } from "../../files.js";
import type { PlannedCall } from "../../simulated/simulatedModel.js";

/** The parts of an OpenAI chat message that the oracle reads. */
interface ChatMessage {
  role: string;
  content?: unknown;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
}

/** A request for a chat completion. */
interface ChatRequest {
  messages: ChatMessage[];
  tools?: { function: { name: string; description?: string; parameters?: object } }[];
  response_format?: object;
}

/** The traffic of the endpoint for one request. */
export interface Counted {
  modelCalls: number;
  inputTokens: number;
  outputTokens: number;
  /** Whether all gold calls had been made when the model was last asked. */
  isDone: boolean;
}

/** An endpoint at which the oracle replies. */
export interface OracleEndpoint {
  /** The base URL for OpenAI's client. */
  url: string;
  /** The traffic for a request so far. */
  countedOf: (query: string) => Counted;
  close: () => void;
}

/** How an agent searches for tools: the name of its search tool, and its calls for some phrases. */
export interface SearchForm {
  name: string;
  callsFor: (phrases: string[]) => PlannedCall[];
  phrasesOf: (args: Record<string, unknown>) => string[];
}

/**
 * Serves chat completions by the oracle, which knows the gold plan of each request: it calls the tools that it is
 * shown, searches for the others if there is a search tool, and names the plan's tools if it is asked to select some.
 */
export async function startOracleEndpoint(options: {
  gold: readonly GoldTask[];
  search?: SearchForm;
}): Promise<OracleEndpoint> {
  const count = await o200kTokens();
  const tasks = new Map(options.gold.map((each) => [each.task.query, each]));
  const counted = new Map<string, Counted>();
  const countedOf = (query: string) =>
    counted.get(query) ?? { modelCalls: 0, inputTokens: 0, outputTokens: 0, isDone: false };
  const answer = (request: ChatRequest) => {
    const query = request.messages.find(({ role }) => role === "user")?.content;
    const gold = tasks.get(String(query));
    if (!gold) throw new Error(`The oracle does not know the request ${String(query)}.`);
    const message = request.response_format
      ? selection(gold, request)
      : nextStep({ gold, request, search: options.search });
    const before = countedOf(gold.task.query);
    const { messages, tools = [], response_format = {} } = request;
    counted.set(gold.task.query, {
      modelCalls: before.modelCalls + 1,
      inputTokens: before.inputTokens + count(JSON.stringify([messages, tools, response_format])),
      outputTokens: before.outputTokens + count(JSON.stringify(message)),
      isDone: isDone(gold, follow(gold, callsIn(messages))),
    });
    return { id: crypto.randomUUID(), choices: [{ index: 0, message, finish_reason: "stop" }] };
  };
  const server = createServer((incoming, response) => {
    void text(incoming).then((body) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer(JSON.parse(body) as ChatRequest)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, countedOf, close: () => void server.close() };
}

/** The reply of a selector: the tools of the plan. */
function selection({ plan }: GoldTask, { response_format }: ChatRequest) {
  const allowed = JSON.stringify(response_format);
  const tools = [...new Set(plan.steps.map(({ tool }) => tool))];
  const offered = tools.filter((tool) => allowed.includes(JSON.stringify(tool)));
  return { role: "assistant", content: JSON.stringify({ tools: offered }) };
}

/** The next calls of the plan, a search for missing tools, or the answer. */
function nextStep(options: {
  gold: GoldTask;
  request: ChatRequest;
  search: SearchForm | undefined;
}) {
  const { gold, request, search } = options;
  const made = callsIn(request.messages);
  const isSearch = ({ name }: { name: string }) => name === search?.name;
  const shown = (request.tools ?? []).map((tool) => tool.function);
  const {
    text,
    call,
    calls = [],
  } = oracleReply(gold, {
    stage: "act",
    input: {
      request: gold.task.query,
      earlierTurns: [],
      steps: [],
      missed: [],
      tools: shown
        .filter((tool) => !isSearch(tool))
        .map(({ name, description = "", parameters = {} }) => ({
          name,
          description,
          parameters: { ...parameters },
        })),
      observations: made.filter((each) => !isSearch(each)).map(({ name: _name, ...each }) => each),
      ...(search && {
        searched: made.filter(isSearch).flatMap(({ args }) => search.phrasesOf(args)),
      }),
    },
  });
  const content = call?.name === "stop" ? String(call.args["message"]) : text;
  const phrases = call?.name === "search_tools" ? call.args["action_descriptions"] : undefined;
  const planned = phrases ? (search?.callsFor(phrases as string[]) ?? []) : calls;
  return {
    role: "assistant",
    content,
    ...(planned.length > 0 && {
      tool_calls: planned.map(({ name, args }) => ({
        id: crypto.randomUUID(),
        type: "function",
        function: { name, arguments: JSON.stringify(args) },
      })),
    }),
  };
}

function callsIn(messages: readonly ChatMessage[]) {
  const results = new Map(messages.map((each) => [each.tool_call_id, each.content]));
  return messages.flatMap(({ tool_calls = [] }) =>
    tool_calls.map((call) => ({
      name: call.function.name,
      tool: call.function.name,
      args: JSON.parse(call.function.arguments) as Record<string, unknown>,
      result: valueOf(results.get(call.id)),
    })),
  );
}

/** Results are plain text or JSON. */
function valueOf(result: unknown): unknown {
  const value = typeof result === "string" ? jsonOrNothing(result) : undefined;
  return value === undefined ? result : value;
}
