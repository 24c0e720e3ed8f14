import { type Tracer, trace } from "@opentelemetry/api";
import { missingPackages, requireExtra } from "../../common/extras.js";
import { packageVersion } from "../../storage/packageRoot.js";
import type { LogEntry } from "./log.js";

/** Where spans go. */
export interface Tracing {
  tracer: Tracer;
  /** Sends what is left. */
  close: () => Promise<void>;
}

/** A collector, as far as the exporter does not read it from `OTEL_*` variables by itself. */
interface Collector {
  url?: string;
  headers?: Record<string, string>;
}

const NAME = "tulipgraph";

/**
 * Opens what the environment asks for: an exporter where `OTEL_EXPORTER_OTLP_ENDPOINT` or the keys of Langfuse are
 * set; else the tracer of OpenTelemetry's API, which does nothing unless the program around has set one up.
 *
 * @param log told where the packages that this takes are missing: a server runs without traces too
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

/** Undefined where nobody wants traces. */
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
  if (missingPackages("tracing").length === 0) return true;
  try {
    requireExtra("tracing");
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    log({ level: "warn", event: "no_traces", problem });
  }
  return false;
}
