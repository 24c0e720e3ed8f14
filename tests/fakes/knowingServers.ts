import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";
import { serve } from "../tools/sources/mcp/httpSupport.js";

/** A server that knows people by their keys. */
export interface KnowingServer {
  url: string;
  /** Who has come, in order. */
  seen: string[];
  /** What was written, and by whom. */
  notes: string[];
}

/** Names by key. A key that is taken out is no longer accepted. */
export type People = Map<string, string>;

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });

/** An MCP server with `who` and `note`, and with `secret`, which repeats the key. A guest is not offered `note`. */
export async function knowingMcp(people: People): Promise<KnowingServer> {
  const [seen, notes]: string[][] = [[], []];
  const serverFor = (name: string, key: string) => () => {
    const server = new McpServer({ name: "office", version: "1.0.0" });
    const reads = { annotations: { readOnlyHint: true } };
    server.registerTool("who", { description: "Tell who I am", ...reads }, async () => text(name));
    const secret = { description: "Tell the key that I came with", ...reads };
    server.registerTool("secret", secret, async () => text(`your key is ${key}`));
    const inputSchema = z.object({ text: z.string() });
    if (name !== "guest")
      server.registerTool("note", { description: "Write a note", inputSchema }, async (given) => {
        notes?.push(`${name}: ${given.text}`);
        return text("noted");
      });
    return server;
  };
  const handlers = new Map<string, ReturnType<typeof toNodeHandler>>();
  const base = await serve((request, response) => {
    const key = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const name = people.get(key);
    seen?.push(name ?? "nobody");
    if (name === undefined) return response.writeHead(401).end();
    const handler = handlers.get(key) ?? toNodeHandler(createMcpHandler(serverFor(name, key)));
    handlers.set(key, handler);
    return void handler(request, response);
  });
  return { url: `${base}/mcp`, seen: seen ?? [], notes: notes ?? [] };
}

/** An API with `GET /me`. */
export async function knowingApi(people: People): Promise<KnowingServer & { document: object }> {
  const seen: string[] = [];
  const url = await serve((request, response) => {
    const name = people.get(String(request.headers["x-shop-key"]));
    seen.push(name ?? "nobody");
    response.writeHead(name ? 200 : 401, { "content-type": "application/json" });
    response.end(JSON.stringify(name ? { customer: name } : { detail: "who are you?" }));
  });
  const document = {
    openapi: "3.0.3",
    info: { title: "Shop", version: "1" },
    servers: [{ url }],
    components: {
      securitySchemes: { key: { type: "apiKey", in: "header", name: "x-shop-key" } },
    },
    security: [{ key: [] }],
    paths: {
      "/me": {
        get: {
          operationId: "customer",
          summary: "Tell which customer I am",
          responses: { 200: { description: "The customer" } },
        },
      },
    },
  };
  return { url, seen, notes: [], document };
}
