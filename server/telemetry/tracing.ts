import { messageOf } from "../../common/errors.js";
import { type Tracer, trace } from "@opentelemetry/api";
import { requireExtra } from "../../common/extras.js";
import { packageVersion } from "../../storage/packageRoot.js";
import type { LogEntry } from "./log.js";

/** Where spans go. */
export interface Tracing {
  tracer: Tracer;
  /** Sends the remaining spans. */
  close: () => Promise<void>;
}

/** The collector's settings that the exporter does not itself read from `OTEL_*` variables. */
interface Collector {
  url?: string;
  headers?: Record<string, string>;
}

const NAME = "tulipgraph";

/**
 * Opens what the environment asks for: an exporter if `OTEL_EXPORTER_OTLP_ENDPOINT` or the keys of Langfuse are set;
 * else the tracer of OpenTelemetry's API, which does nothing unless the surrounding program has set one up.
 *
 * @param log gets a warning if packages are missing; the server then runs without traces
 */
export async function openTracing(log: (entry: LogEntry) => void): Promise<Tracing> {
  const collector = wantedCollector(process.env);
  if (!collector || !isInstalled(log)) {
    return { tracer: trace.getTracer(NAME, packageVersion()), close: async () => undefined };
  }
  const [{ NodeTracerProvider, BatchSpanProcessor }, { OTLPTraceExporter }, resources] =
    await Promise.all([
      import("@opentelemetry/sdk-trace-node"),
      import("@opentelemetry/exporter-trace-otlp-http"),
      import("@opentelemetry/resources"),
    ]);
  const named = resources.resourceFromAttributes({ "service.name": NAME });
  const asked = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new NodeTracerProvider({
    resource: resources.defaultResource().merge(named).merge(asked),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(collector))],
  });
  return {
    tracer: provider.getTracer(NAME, packageVersion()),
    // A collector that is away must not keep a server from ending.
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** Undefined if nobody wants traces. */
function wantedCollector(env: NodeJS.ProcessEnv): Collector | undefined {
  if (env["OTEL_SDK_DISABLED"] === "true" || env["OTEL_TRACES_EXPORTER"] === "none")
    return undefined;
  if (env["OTEL_EXPORTER_OTLP_ENDPOINT"] || env["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"]) return {};
  const { LANGFUSE_PUBLIC_KEY: id, LANGFUSE_SECRET_KEY: secret } = env;
  if (!id || !secret) return undefined;
  const host = env["LANGFUSE_BASE_URL"] || env["LANGFUSE_HOST"] || "https://cloud.langfuse.com";
  const credentials = Buffer.from(`${id}:${secret}`).toString("base64");
  return {
    url: `${host.replace(/\/+$/, "")}/api/public/otel/v1/traces`,
    headers: { Authorization: `Basic ${credentials}` },
  };
}

function isInstalled(log: (entry: LogEntry) => void): boolean {
  try {
    requireExtra("tracing");
    return true;
  } catch (error) {
    const problem = messageOf(error);
    log({ level: "warn", event: "no_traces", problem });
    return false;
  }
}
