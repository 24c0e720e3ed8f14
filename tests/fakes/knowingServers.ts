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

/** An MCP server whose writes can be held. */
export interface KnowingMcp extends KnowingServer {
  /** The names of those who called. */
  called: string[];
  /** Notes from now on wait for it. */
  hold: (until: Promise<void>) => void;
}

/** Names by key. A key that is taken out is no longer accepted. */
export type People = Map<string, string>;

const text = (content: string) => ({ content: [{ type: "text" as const, text: content }] });

/** An MCP server with `who` and `note`, and with `secret` and `refuse`, which repeat the key. A guest is not offered `note`. */
export async function knowingMcp(people: People): Promise<KnowingMcp> {
  const [seen, notes, called]: [string[], string[], string[]] = [[], [], []];
  let gate = Promise.resolve();
  const serverFor = (name: string, key: string) => () => {
    const server = new McpServer({ name: "office", version: "1.0.0" });
    const reads = { annotations: { readOnlyHint: true } };
    server.registerTool("who", { description: "Tell who I am", ...reads }, async () => {
      called.push(name);
      return text(name);
    });
    const secret = { description: "Tell the key that I came with", ...reads };
    server.registerTool("secret", secret, async () => text(`your key is ${key}`));
    const refuse = { description: "Refuse what I ask for", ...reads };
    const isError = true;
    server.registerTool("refuse", refuse, async () => ({
      ...text(`${key} is not enough`),
      isError,
    }));
    const inputSchema = z.object({ text: z.string() });
    if (name !== "guest")
      server.registerTool("note", { description: "Write a note", inputSchema }, async (given) => {
        called.push(name);
        await gate;
        notes.push(`${name}: ${given.text}`);
        return text("noted");
      });
    return server;
  };
  const handlers = new Map<string, ReturnType<typeof toNodeHandler>>();
  const base = await serve((request, response) => {
    const key = request.headers.authorization?.replace(/^Bearer /, "") ?? "";
    const name = people.get(key);
    seen.push(name ?? "nobody");
    if (name === undefined) return response.writeHead(401).end();
    const handler = handlers.get(key) ?? toNodeHandler(createMcpHandler(serverFor(name, key)));
    handlers.set(key, handler);
    return void handler(request, response);
  });
  const hold = (until: Promise<void>) => void (gate = until);
  return { url: `${base}/mcp`, seen, notes, called, hold };
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
