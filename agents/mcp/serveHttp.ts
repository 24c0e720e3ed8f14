import { randomUUID } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  NodeStreamableHTTPServerTransport,
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
  toWebRequest,
} from "@modelcontextprotocol/node";
import {
  type McpServerFactory,
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
} from "@modelcontextprotocol/server";
import { InvalidSetting } from "../../common/errors.js";

const PATH = "/mcp";

/** Sessions of clients of the older revision; beyond this, a new one ends the oldest. */
const MOST_SESSIONS = 100;

/** Bytes of a request's body. */
const LARGEST_BODY = 4 * 1024 * 1024;

/**
 * Serves MCP over HTTP on the loopback device, for both revisions of the protocol. Requests from web pages are refused
 * by their `Host` and `Origin`.
 *
 * @param port 0 for any free one
 * @throws InvalidSetting when the port cannot be used
 */
export async function serveHttp(servers: McpServerFactory, port: number) {
  const modern = createMcpHandler(servers, { legacy: "reject", maxRequestBodySize: LARGEST_BODY });
  const answerModern = toNodeHandler(modern, { maxRequestBodySize: LARGEST_BODY });
  const sessions = legacySessions(servers);
  const isHost = localhostHostValidation();
  const isOrigin = localhostOriginValidation();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (!isHost(request, response) || !isOrigin(request, response)) return;
    if (new URL(request.url ?? "", "http://localhost").pathname !== PATH) {
      response.writeHead(404).end();
      return;
    }
    const body = request.method === "POST" ? await readBody(request) : undefined;
    if (body === TOO_LARGE) response.writeHead(413).end();
    else if (await isLegacyRequest(await toWebRequest(request, body), body))
      await sessions.answer(request, response, body);
    else await answerModern(request, response, body);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  }).catch((error: unknown) => {
    throw unusablePort(port, error);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      await Promise.all([modern.close(), sessions.close()]);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The connections of clients of the older revision. They stay open, because a person is asked over them. */
function legacySessions(servers: McpServerFactory) {
  const open = new Map<string, NodeStreamableHTTPServerTransport>();
  const begin = async () => {
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        open.set(id, transport);
        const [oldest] = open;
        if (open.size <= MOST_SESSIONS || !oldest) return;
        open.delete(oldest[0]);
        void oldest[1].close();
      },
      onsessionclosed: (id) => void open.delete(id),
    });
    const server = await servers({ era: "legacy" });
    await server.connect(transport);
    return transport;
  };
  return {
    async answer(request: IncomingMessage, response: ServerResponse, body: unknown) {
      const id = request.headers["mcp-session-id"];
      const known = typeof id === "string" ? open.get(id) : undefined;
      const isNew = id === undefined && isInitializeRequest(body);
      const transport = known ?? (isNew ? await begin() : undefined);
      if (transport) return await transport.handleRequest(request, response, body);
      const status = id === undefined ? 400 : 404;
      const message = id === undefined ? "Bad Request: initialize first" : "Session not found";
      response.writeHead(status, { "content-type": "application/json" });
      response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: -32000, message }, id: null }));
    },
    close: async () => void (await Promise.all([...open.values()].map((each) => each.close()))),
  };
}

const TOO_LARGE = Symbol("a body that is too large");

/** The body of a request, parsed. Text that is not JSON is returned as it is; the handler refuses it. */
async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += (part as Buffer).length;
    if (size > LARGEST_BODY) return TOO_LARGE;
    parts.push(part as Buffer);
  }
  const text = Buffer.concat(parts).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function unusablePort(port: number, error: unknown): InvalidSetting {
  const { code, message } = error as NodeJS.ErrnoException;
  return new InvalidSetting({
    setting: "--http",
    problem: code === "EADDRINUSE" ? `something already listens on port ${port}` : message,
    hint: "Give another one, or 0 for any free one",
  });
}
