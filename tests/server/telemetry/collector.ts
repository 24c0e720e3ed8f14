import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** A request to a collector. */
interface Received {
  path: string;
  headers: Record<string, unknown>;
  /** As text. */
  body: string;
}

/** A server on this machine that keeps what it is sent; it is closed at the end of the test. */
export async function startCollector(): Promise<{ url: string; received: Received[] }> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const body = Buffer.concat(parts).toString("utf8");
      received.push({ path: request.url ?? "", headers: request.headers, body });
      response.setHeader("Content-Type", "application/json");
      response.end("{}");
    });
  });
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, received };
}

/** A span as OTLP writes it in JSON. */
interface OtlpSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  status: { code?: number };
}

/** The spans that a collector has received, with their attributes as an object and their parent's name. */
export function spansIn(received: readonly Received[]) {
  const spans = received
    .filter(({ path }) => path.endsWith("/v1/traces"))
    .flatMap(({ body }) => {
      const { resourceSpans } = JSON.parse(body) as {
        resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
      };
      return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
    });
  const names = new Map(spans.map(({ spanId, name }) => [spanId, name]));
  return spans.map(({ name, traceId, parentSpanId = "", attributes, status }) => ({
    name,
    traceId,
    parentSpanId,
    parent: names.get(parentSpanId),
    failed: status.code === 2,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
    ),
  }));
}
