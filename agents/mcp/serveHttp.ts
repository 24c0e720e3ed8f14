import { randomUUID } from "node:crypto";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import {
  type AuthInfo,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport as Transport,
  createMcpHandler,
  hostHeaderValidationResponse,
  isLegacyRequest,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
} from "@modelcontextprotocol/server";
import { InvalidSetting } from "../../common/errors.js";

const PATH = "/mcp";

/** Sessions of clients of the older revision; beyond this, a new one ends the oldest. */
const MOST_SESSIONS = 100;

/** Whoever sent a request; the factory gets it. */
type Sender = Pick<AuthInfo, "clientId" | "extra">;

const NOBODY: Sender = { clientId: "" };

/**
 * MCP over HTTP, for both revisions of the protocol.
 *
 * @param servers makes a server for each request, or for each session of a client of the older revision
 */
export function mcpOverHttp(servers: McpServerFactory) {
  const modern = createMcpHandler(servers, { legacy: "reject" });
  const sessions = legacySessions(servers);
  return {
    /** @param sender a session belongs to whoever has begun it, and to others it is unknown */
    fetch: async (request: Request, sender = NOBODY): Promise<Response> => {
      const authInfo: AuthInfo = { token: "", scopes: [], ...sender };
      if (await isLegacyRequest(request)) return sessions.answer(request, authInfo);
      return await modern.fetch(request, { authInfo });
    },
    close: async () => void (await Promise.all([modern.close(), sessions.close()])),
  };
}

/**
 * Serves MCP over HTTP on the loopback device. Requests from web pages are refused by their `Host` and `Origin`.
 *
 * @param port 0 for any free one
 * @throws InvalidSetting when the port cannot be used
 */
export async function serveHttp(servers: McpServerFactory, port: number) {
  const mcp = mcpOverHttp(servers);
  const fetch = async (request: Request): Promise<Response> => {
    const refused =
      hostHeaderValidationResponse(request, localhostAllowedHostnames()) ??
      originValidationResponse(request, localhostAllowedOrigins());
    if (refused) return refused;
    const isMcp = new URL(request.url).pathname === PATH;
    return isMcp ? await mcp.fetch(request) : new Response(null, { status: 404 });
  };
  const server = await new Promise<ReturnType<typeof serve>>((resolve, reject) => {
    const made = serve({ fetch, hostname: "127.0.0.1", port }, () => resolve(made));
    made.once("error", (error) => reject(unusablePort(port, error)));
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${PATH}`,
    async close() {
      await mcp.close();
      if ("closeAllConnections" in server) server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The connections of clients of the older revision. They stay open, because a person is asked over them. */
function legacySessions(servers: McpServerFactory) {
  const open = new Map<string, { transport: Transport; of: string }>();
  const begin = async (authInfo: AuthInfo) => {
    const transport = new Transport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized(id) {
        open.set(id, { transport, of: authInfo.clientId });
        const [oldest] = open;
        if (open.size <= MOST_SESSIONS || !oldest) return;
        open.delete(oldest[0]);
        void oldest[1].transport.close();
      },
      onsessionclosed: (id) => void open.delete(id),
    });
    const server = await servers({ era: "legacy", authInfo });
    await server.connect(transport);
    return transport;
  };
  return {
    async answer(request: Request, authInfo: AuthInfo): Promise<Response> {
      const id = request.headers.get("mcp-session-id");
      const known = id === null ? undefined : open.get(id);
      const own = known?.of === authInfo.clientId ? known.transport : undefined;
      const transport = own ?? (id === null ? await begin(authInfo) : undefined);
      if (transport) {
        const response = await transport.handleRequest(request, { authInfo });
        // Anything but the request that begins a session was refused.
        if (transport.sessionId === undefined) await transport.close();
        return response;
      }
      const error = { code: -32000, message: "Session not found" };
      return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 404 });
    },
    close: async () =>
      void (await Promise.all([...open.values()].map(({ transport }) => transport.close()))),
  };
}

function unusablePort(port: number, error: unknown): InvalidSetting {
  const { code, message } = error as NodeJS.ErrnoException;
  return new InvalidSetting({
    setting: "--http",
    problem: code === "EADDRINUSE" ? `something already listens on port ${port}` : message,
    hint: "Give another one, or 0 for any free one",
  });
}
