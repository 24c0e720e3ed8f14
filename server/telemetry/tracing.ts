import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { type Context, ROOT_CONTEXT, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import { TulipgraphError } from "../../common/errors.js";
import { withoutOwnSecrets } from "../../common/secrets.js";
import { packageUrl } from "../../models/packages.js";
import { parseModelSpec } from "../../models/providers.js";
import { packageVersion } from "../../storage/packageRoot.js";

/** Where spans go. */
export type Tracing = Awaited<ReturnType<typeof openTracing>>;

/** An event and its facts, never the contents of a request or a reply. */
export type LogEntry = { level: "info" | "warn" | "error"; event: string } & Record<
  string,
  unknown
>;

const NAME = "tulipgraph";

/** What sends spans; only those who want traces install it. */
const PACKAGES = [
  "@opentelemetry/sdk-trace-node",
  "@opentelemetry/exporter-trace-otlp-http",
  "@opentelemetry/resources",
];

type Sdk = [
  typeof import("@opentelemetry/sdk-trace-node"),
  typeof import("@opentelemetry/exporter-trace-otlp-http"),
  typeof import("@opentelemetry/resources"),
];

/**
 * Opens what the environment asks for: an exporter if `OTEL_EXPORTER_OTLP_ENDPOINT` is set; else the
 * tracer of OpenTelemetry's API, which does nothing unless the surrounding program has set one up.
 *
 * @param log gets a warning if packages are missing; the server then runs without traces
 */
export async function openTracing(log: (entry: LogEntry) => void) {
  const sdk = isWanted(process.env) ? await loadSdk(log) : undefined;
  if (!sdk)
    return { tracer: trace.getTracer(NAME, packageVersion()), close: async () => undefined };
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] = sdk;
  const named = resources.resourceFromAttributes({ "service.name": NAME });
  const asked = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new NodeTracerProvider({
    resource: resources.defaultResource().merge(named).merge(asked),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  return {
    tracer: provider.getTracer(NAME, packageVersion()),
    // Sends the remaining spans. A collector that is away must not keep a server from ending.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function isWanted(env: NodeJS.ProcessEnv): boolean {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = env;
  if (env["OTEL_SDK_DISABLED"] === "true" || env["OTEL_TRACES_EXPORTER"] === "none") return false;
  return Boolean(all || traces);
}

async function loadSdk(log: (entry: LogEntry) => void): Promise<Sdk | undefined> {
  const urls = PACKAGES.flatMap((name) => packageUrl(name) ?? []);
  if (urls.length === PACKAGES.length)
    return (await Promise.all(urls.map((url) => import(url)))) as Sdk;
  const problem = `the packages that send traces are not installed. Install them with: npm install ${PACKAGES.join(" ")}`;
  log({ level: "warn", event: "no_traces", problem });
  return undefined;
}

/* What spans hold, in the form of OpenTelemetry's conventions. */

const TRACEPARENT = /^[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})/;

/** The context that a `traceparent` names. If it is malformed, a new trace begins. */
export function parentOf(traceparent = ""): Context {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent) ?? [];
  if (!traceId || !spanId || !flags) return ROOT_CONTEXT;
  const traceFlags = Number.parseInt(flags, 16) % 2;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/** Splits the name of a model as spans want it. */
export function splitModel(spec: string): { provider: string; name: string } {
  if (!spec.includes(":")) return { provider: "unknown", name: spec };
  const { provider, model } = parseModelSpec(spec);
  return { provider, name: model };
}

/** The kind of an error, without its message, which may quote a prompt. */
export function errorType(error: unknown): string {
  if (error instanceof TulipgraphError) return error.code;
  return error instanceof Error ? error.name : "error";
}

/** Marks a span as failed. */
export function markFailed(span: Span, type: string): void {
  span.setAttribute("error.type", type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

const ROLES: Record<string, string> = { human: "user", ai: "assistant" };

/** Messages as JSON with roles and parts. */
export function messagesText(messages: readonly BaseMessage[]): string {
  const shown = messages.map((message) => ({
    role: ROLES[message.type] ?? message.type,
    parts: [
      ...(message.text ? [{ type: "text", content: message.text }] : []),
      ...("tool_calls" in message ? ((message as AIMessage).tool_calls ?? []) : []).map(
        ({ id, name, args }) => ({ type: "tool_call", id, name, arguments: args }),
      ),
    ],
  }));
  return JSON.stringify(withoutOwnSecrets(shown));
}
