import { randomUUID } from "node:crypto";
import type { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import type { Context, MiddlewareHandler } from "hono";
import { matchedRoutes } from "hono/route";
import { type DestinationStream, type Level, destination, pino } from "pino";
import { withoutSecretsIn } from "../../common/secrets.js";
import type { Environment } from "../server.js";
import { openMetrics } from "./metrics.js";
import { RunTrace, type TracedEvent, type TracedRun } from "./runTrace.js";
import { type LogEntry, type Tracing, openTracing } from "./tracing.js";
import type { ServerStore } from "../schema.js";

/** What can be seen of a server from outside: metrics, traces, logs. */
export type Telemetry = Awaited<ReturnType<typeof openTelemetry>>;

/**
 * Opens the telemetry of a server, as the environment variables say.
 *
 * @param output where logs go instead of stderr
 */
export async function openTelemetry(
  { data }: { data: ServerStore },
  { output }: { output?: DestinationStream } = {},
) {
  const log = openLog(output);
  const metrics = openMetrics({ data });
  const tracing = await openTracing(log);
  return {
    /** Counts, times and logs requests, and gives each an id (`x-request-id`). */
    observe: observer({ log, metrics }),
    follow: follower({ log, metrics, tracing }),
    /** In Prometheus' text format. */
    metrics: metrics.text,
    log,
    close: tracing.close,
  };
}

interface Outlets {
  log: (entry: LogEntry) => void;
  metrics: ReturnType<typeof openMetrics>;
}

/** Other programs ask for these every few seconds. */
const NOT_LOGGED = ["/ok", "/metrics"];

/** A request's id from a proxy is kept if it is safe in a log. */
const REQUEST_ID = /^[\w.-]{1,64}$/;

function observer({ log, metrics }: Outlets): MiddlewareHandler<Environment> {
  return async (context, next) => {
    const started = performance.now();
    const given = context.req.header("x-request-id") ?? "";
    const id = REQUEST_ID.test(given) ? given : randomUUID();
    context.header("x-request-id", id);
    await next();
    const ms = performance.now() - started;
    const { method, path } = context.req;
    const { status } = context.res;
    // Callers may invent methods.
    const known = METHODS.includes(method) ? method : "other";
    const labels = { method: known, route: routeOf(context), status: String(status) };
    metrics.requests.observe(labels, ms / 1000);
    const caller = context.get("caller")?.id;
    const refused = context.get("refused");
    const who = { ...(caller && { caller }), ...(refused && { refused }) };
    const facts = { id, method, path, status, ms: Math.round(ms), ...who };
    if (status === 200 && NOT_LOGGED.includes(path)) return;
    log({ level: status >= 500 ? "error" : "info", event: "request", ...facts });
  };
}

/** The route's pattern rather than the path, which may hold ids; `none` for an unknown path. */
function routeOf(context: Context<Environment>): string {
  const patterns = matchedRoutes(context).map(({ path }) => path);
  return patterns.findLast((path) => !path.endsWith("*")) ?? "none";
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"];

/**
 * Follows one run that this process works on and that has waited for its turn: `callbacks` go into its config, `end` must
 * be called once.
 */
function follower({ log, metrics, tracing }: Outlets & { tracing: Tracing }) {
  /** @param hear is told of each stage, model call and tool call that has ended */
  return (
    { queuedMs, ...run }: TracedRun & { runId: string; queuedMs: number },
    hear?: (event: TracedEvent) => void,
  ) => {
    const { runId, threadId, graph } = run;
    const started = performance.now();
    const tell = (event: TracedEvent) => {
      metrics.event(event);
      hear?.(event);
    };
    const handler = new RunTrace({ run, tracer: tracing.tracer, tell });
    metrics.runStarted(graph, queuedMs / 1000);
    log({ level: "info", event: "run_started", runId, threadId, graph, queuedMs });
    return {
      callbacks: [handler as BaseCallbackHandler],
      /** As the client sees it: success · error · interrupted · timeout; `given up` if another process goes on. */
      end: ({ status, error }: { status: string; error?: string }) => {
        const ms = performance.now() - started;
        handler.end({ status });
        metrics.runEnded(graph, status, ms / 1000);
        const level = status === "error" ? "error" : "info";
        const why = error === undefined ? {} : { error };
        const facts = { runId, threadId, graph, status, ms: Math.round(ms), ...why };
        log({ level, event: "run_ended", ...facts });
      },
    };
  };
}

/** The variable that sets how much is logged: error · warn · info · silent. */
const LEVEL = "TULIPGRAPH_LOG_LEVEL";
const LEVELS = ["error", "warn", "info", "silent"];

/**
 * Opens the log on stderr: a line of JSON for each event. Keys and passwords are replaced wherever they occur.
 *
 * @param output where to write instead of stderr
 */
function openLog(output?: DestinationStream): (entry: LogEntry) => void {
  const wanted = process.env[LEVEL] ?? "";
  const logger = pino(
    {
      level: LEVELS.includes(wanted) ? wanted : "info",
      base: null,
      messageKey: "event",
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: {
        level: (label) => ({ level: label }),
        log: (facts) => withoutSecretsIn(facts),
      },
    },
    // Written at once: the last lines explain how a process has died.
    output ?? destination({ dest: 2, sync: true }),
  );
  return ({ level, event, ...facts }) => logger[level satisfies Level](facts, event);
}
