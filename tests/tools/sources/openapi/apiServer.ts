import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request as a server received it. */
export interface Received {
  method: string;
  /** With the query. */
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A server's answer: JSON, unless it is a text or has another type. */
export interface Reply {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

/** A server on loopback that is stopped after the test, and the requests it received. */
export async function startServer(
  answer: (received: Received) => Reply | Promise<Reply>,
): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const one = await read(request);
      received.push(one);
      write(response, await answer(one));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

async function read(request: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const { method = "", url = "", headers } = request;
  return { method, url, headers, body: Buffer.concat(parts).toString() };
}

function write(response: ServerResponse, { status = 200, headers = {}, body }: Reply): void {
  const isPlain = typeof body === "string" || Buffer.isBuffer(body) || body === undefined;
  response.writeHead(status, {
    ...(isPlain ? {} : { "content-type": "application/json" }),
    ...headers,
  });
  response.end(isPlain ? body : JSON.stringify(body));
}
