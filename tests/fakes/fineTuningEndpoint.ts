import { type IncomingMessage, createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A request that arrived, its body as text. */
export interface FineTuningRequest {
  path: string;
  authorization: string | undefined;
  body: string;
}

export interface FineTuningEndpoint {
  /** To be set as OPENAI_BASE_URL. */
  url: string;
  /** What arrived, oldest first. */
  requests: FineTuningRequest[];
  close(): Promise<void>;
}

/**
 * An HTTP double on the loopback device that takes files and fine-tuning jobs as OpenAI does.
 *
 * @param options.status with which it refuses jobs; it takes them when absent
 */
export async function startFineTuningEndpoint(
  options: { status?: number } = {},
): Promise<FineTuningEndpoint> {
  const requests: FineTuningRequest[] = [];
  const server = createServer((incoming, response) => {
    void textOf(incoming).then((body) => {
      const path = incoming.url ?? "";
      requests.push({ path, authorization: incoming.headers.authorization, body });
      const isFile = path === "/v1/files";
      const status = isFile ? 200 : (options.status ?? 200);
      const answer =
        status === 200
          ? { id: isFile ? "file-1" : "ftjob-1", object: isFile ? "file" : "fine_tuning.job" }
          : { error: { message: "the model cannot be trained" } };
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of incoming.setEncoding("utf8")) text += String(part);
  return text;
}
