import { type IncomingMessage, type RequestListener, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { McpServer, createMcpHandler } from "@modelcontextprotocol/server";
import { onTestFinished } from "vitest";
import { z } from "zod";

/** Serves on loopback until the test ends. */
export async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}`;
}

/** Headers and methods of the requests to a server. */
export interface Asked {
  method: string | undefined;
  authorization: string | undefined;
  revision: string | undefined;
}

/** An HTTP server that speaks both revisions and notes its requests. */
export async function weatherServer(
  options: { refuse?: (request: IncomingMessage) => boolean } = {},
) {
  const asked: Asked[] = [];
  const handler = toNodeHandler(createMcpHandler(weather));
  const url = await serve((request, response) => {
    const { authorization, "mcp-protocol-version": revision } = request.headers;
    asked.push({ method: request.method, authorization, revision: revision?.toString() });
    if (!options.refuse?.(request)) void handler(request, response);
    else response.writeHead(401, { "content-type": "text/plain" }).end("who are you?");
  });
  return { url: `${url}/mcp`, asked };
}

/** A server with one tool. */
export function weather(): McpServer {
  const server = new McpServer(
    { name: "weather", title: "Weather of the world", version: "1.0.0" },
    { instructions: "Tells how warm it is anywhere." },
  );
  const place = z.object({ place: z.string() });
  const described = {
    description: "How warm it is at a place",
    inputSchema: place,
    outputSchema: z.object({ celsius: z.number() }),
    annotations: { readOnlyHint: true, openWorldHint: true },
  };
  server.registerTool("warmth", described, async () => ({
    structuredContent: { celsius: 21 },
    content: [{ type: "text", text: "21 degrees" }],
  }));
  return server;
}
