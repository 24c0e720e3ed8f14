import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { serve } from "./httpSupport.js";

/** A request to a server, and what is answered to it. */
export interface Exchange {
  request: { id?: number | string; method: string; params?: Record<string, unknown> };
  session: string | undefined;
  response: ServerResponse;
  /** Answers with a result, as a plain server does. */
  answer: (result: unknown) => void;
}

const TOOLS = [
  { name: "read", annotations: { readOnlyHint: true }, inputSchema: { type: "object" } },
  { name: "write", inputSchema: { type: "object" } },
];

/** A server of revision 2025-06-18 with messages by hand; `on` may answer in its own way, and says so with true. */
export async function handMadeServer(on: (exchange: Exchange) => boolean | void) {
  const methods: string[] = [];
  let sessions = new Set<string>();
  const origin = await serve(async (request, response) => {
    let body = "";
    for await (const part of request) body += String(part);
    if (request.method !== "POST") return response.writeHead(405).end();
    const asked = JSON.parse(body) as Exchange["request"];
    methods.push(asked.method);
    const header = request.headers["mcp-session-id"];
    const session = typeof header === "string" ? header : undefined;
    const answer = (result: unknown) =>
      sendJson(response, { jsonrpc: "2.0", id: asked.id, result });
    if (on({ request: asked, session, response, answer })) return;
    if (asked.id === undefined) return response.writeHead(202).end();
    if (asked.method === "initialize") {
      const own = randomUUID();
      sessions.add(own);
      response.setHeader("mcp-session-id", own);
      return answer({
        protocolVersion: "2025-06-18",
        capabilities: { tools: {} },
        serverInfo: { name: "made", version: "1" },
      });
    }
    if (asked.method === "tools/list") return answer({ tools: TOOLS });
    if (asked.method === "tools/call") return answer({ content: [{ type: "text", text: "done" }] });
    const error = { code: -32_601, message: "Method not found" };
    return sendJson(response, { jsonrpc: "2.0", id: asked.id, error });
  });
  return {
    url: `${origin}/mcp`,
    methods,
    knows: (session: string | undefined) => session !== undefined && sessions.has(session),
    forget: () => {
      sessions = new Set();
    },
  };
}

export function sendJson(response: ServerResponse, message: unknown): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
}
