import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback, and what it was asked. */
export interface RunningServer {
  url: string;
  received: { path: string; authorization?: string }[];
  close: () => Promise<void>;
}

/** Answers every request with JSON. */
export async function serveJson(answer: (path: string) => unknown): Promise<RunningServer> {
  const received: RunningServer["received"] = [];
  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    received.push({ path, authorization: headers.authorization });
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(answer(path)));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
