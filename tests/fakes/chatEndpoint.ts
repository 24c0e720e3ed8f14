import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that arrived, its JSON body read. */
export interface EndpointRequest {
  /** Such as "/v1/chat/completions". */
  path: string;
  headers: IncomingMessage["headers"];
  body: ChatBody;
}

/** What a test looks at in the body of a request. */
export interface ChatBody {
  model?: string;
  messages?: { role: string; content: unknown; [field: string]: unknown }[];
  tools?: { type: string; function: Record<string, unknown> }[];
  stream?: boolean;
  stream_options?: { include_usage?: boolean };
  input?: string | string[];
  [field: string]: unknown;
}

/** A completion in short form; what is left out is as in an ordinary reply. */
export interface Completion {
  content?: string;
  refusal?: string;
  /** Arguments as an object, or as the very text to send. */
  calls?: { id?: string; name: string; arguments: string | Record<string, unknown> }[];
  finishReason?: string;
  /** Null: this endpoint reports none. */
  usage?: { input: number; output: number; cached?: number } | null;
  id?: string;
  /** What happens to a stream behind its parts, without its end: the connection breaks, or hangs. */
  afterwards?: "breakOff" | "hang";
}

/** What the endpoint does: answers, fails, or never answers. */
export type EndpointReply =
  | Completion
  | { embeddings: number[][] }
  | { status: number; body: unknown; headers?: Record<string, string> }
  | "hang";

export interface ChatEndpoint {
  /** To be set as OPENAI_BASE_URL. */
  url: string;
  /** What arrived, oldest first. */
  requests: EndpointRequest[];
  /** The bodies of the requests, oldest first. */
  bodies: ChatBody[];
  close(): Promise<void>;
}

export type EndpointScript = (
  request: EndpointRequest,
  index: number,
) => EndpointReply | Promise<EndpointReply>;

/**
 * An HTTP double on the loopback device that speaks OpenAI's chat completions (whole and streamed,
 * with tools, reply formats and usage) and embeddings, as the script says.
 */
export async function startChatEndpoint(script: EndpointScript): Promise<ChatEndpoint> {
  const requests: EndpointRequest[] = [];
  const bodies: ChatBody[] = [];
  const server = createServer((incoming, response) => {
    void readBody(incoming).then(
      async (body) => {
        const request = { path: incoming.url ?? "", headers: incoming.headers, body };
        requests.push(request);
        bodies.push(body);
        answer({ request, response, reply: await script(request, requests.length - 1) });
      },
      // Whoever is ended in the middle of its question is owed no answer.
      () => response.destroy(),
    );
  });
  // On a busy machine, a client may use a connection again seconds after it was last used.
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    bodies,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function readBody(incoming: IncomingMessage): Promise<ChatBody> {
  let text = "";
  for await (const part of incoming.setEncoding("utf8")) text += String(part);
  return text ? (JSON.parse(text) as ChatBody) : {};
}

interface Exchange<Reply> {
  request: EndpointRequest;
  response: ServerResponse;
  reply: Reply;
}

function answer({ request, response, reply }: Exchange<EndpointReply>): void {
  if (reply === "hang") return;
  if ("status" in reply) {
    const { status, body, headers } = reply;
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const type = typeof body === "string" ? "text/plain" : "application/json";
    response.writeHead(status, { "content-type": type, ...headers }).end(text);
  } else if ("embeddings" in reply) {
    sendJson(response, embeddingList(reply.embeddings));
  } else if (request.body.stream) {
    stream({ request, response, reply });
  } else {
    sendJson(response, wholeCompletion(reply));
  }
}

function sendJson(response: ServerResponse, body: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function embeddingList(embeddings: number[][]): unknown {
  const data = embeddings.map((embedding, index) => ({ object: "embedding", index, embedding }));
  return { object: "list", model: "double", data, usage: { prompt_tokens: 1, total_tokens: 1 } };
}

function wholeCompletion(reply: Completion): unknown {
  const message = {
    role: "assistant",
    content: reply.content ?? null,
    refusal: reply.refusal ?? null,
    ...(reply.calls ? { tool_calls: toolCalls(reply) } : {}),
  };
  return {
    ...head(reply, "chat.completion"),
    choices: [{ index: 0, message, finish_reason: finishReason(reply) }],
    ...usage(reply),
  };
}

function stream({ request, response, reply }: Exchange<Completion>): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (part: Record<string, unknown>) =>
    response.write(
      `data: ${JSON.stringify({ ...head(reply, "chat.completion.chunk"), ...part })}\n\n`,
    );
  for (const delta of deltas(reply)) {
    send({ choices: [{ index: 0, delta, finish_reason: null }] });
  }
  if (reply.afterwards === "hang") return;
  if (reply.afterwards === "breakOff") {
    // What was written has to be on its way before the connection is cut.
    response.write(": no more\n\n", () => response.destroy());
    return;
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: finishReason(reply) }] });
  if (request.body.stream_options?.include_usage) send({ choices: [], ...usage(reply) });
  response.end("data: [DONE]\n\n");
}

/** The parts of a streamed reply: texts and arguments are cut into small pieces, as providers do. */
function* deltas(reply: Completion): Generator<Record<string, unknown>> {
  yield { role: "assistant", content: "" };
  for (const content of pieces(reply.content ?? "")) yield { content };
  for (const refusal of pieces(reply.refusal ?? "")) yield { refusal };
  for (const [index, call] of toolCalls(reply).entries()) {
    const { name, arguments: whole } = call.function;
    yield { tool_calls: [{ index, ...call, function: { name, arguments: "" } }] };
    for (const piece of pieces(whole)) {
      yield { tool_calls: [{ index, function: { arguments: piece } }] };
    }
  }
}

function pieces(text: string): string[] {
  return text.match(/.{1,4}/gsu) ?? [];
}

function toolCalls({ calls = [] }: Completion) {
  return calls.map(({ id, name, arguments: args }, index) => ({
    id: id ?? `call_${index}`,
    type: "function",
    function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
  }));
}

function head({ id }: Completion, object: string) {
  return { id: id ?? "chatcmpl-double", object, created: 0, model: "double" };
}

function finishReason({ finishReason, calls }: Completion): string {
  return finishReason ?? (calls ? "tool_calls" : "stop");
}

function usage({ usage = { input: 11, output: 7 } }: Completion) {
  if (!usage) return {};
  const { input, output, cached } = usage;
  const total_tokens = input + output;
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  return { usage: { prompt_tokens: input, completion_tokens: output, total_tokens, ...details } };
}
