import { setTimeout as sleep } from "node:timers/promises";
import {
  AggregatorRegistry,
  Counter,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
  collectDefaultMetrics,
} from "prom-client";
import { chatDollars, priceOf } from "../../models/prices.js";
import { firstProcess } from "../processes.js";
import type { TracedEvent } from "./runTrace.js";
import type { ServerStore } from "../schema.js";

/** Callers may invent names of models; only the first ones get a label of their own. */
const MOST_NAMES = 100;

/** How long the database may take to answer before it counts as away (ms). */
const ANSWER_MS = 2000;

const REQUEST_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120];
const RUN_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 180, 600];
const STAGE_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2, 5, 10, 30, 120];

/**
 * Counts what a process does. No label's number of values grows with use: threads, runs, callers and tools can be told
 * apart in traces and logs.
 */
export function openMetrics({ data }: { data: ServerStore }) {
  const registry = new Registry();
  const first = firstProcess();
  if (first) {
    // From now on, it answers what the first process asks.
    void new AggregatorRegistry();
    AggregatorRegistry.setRegistries(registry);
  }
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `tulipgraph_${name}`, help, labelNames, registers });
  const histogram = <Label extends string>(
    name: string,
    help: string,
    { labelNames, buckets }: { labelNames: Label[]; buckets: number[] },
  ) => new Histogram({ name: `tulipgraph_${name}`, help, labelNames, buckets, registers });
  const gauge = (
    name: string,
    help: string,
    more: Pick<GaugeConfiguration<string>, "collect" | "aggregator"> = {},
  ) => new Gauge({ name: `tulipgraph_${name}`, help, registers, ...more });

  const requests = histogram("http_request_seconds", "Time until a request is answered", {
    labelNames: ["method", "route", "status"],
    buckets: REQUEST_SECONDS,
  });
  const queued = histogram("run_queue_seconds", "Time in which a run waited for its turn", {
    labelNames: ["graph"],
    buckets: RUN_SECONDS,
  });
  const runs = counter("runs_total", "Runs whose work here ended, by how", ["graph", "status"]);
  const runSeconds = histogram("run_seconds", "Time in which a run was worked on", {
    labelNames: ["graph"],
    buckets: RUN_SECONDS,
  });
  const running = gauge("runs_running", "Runs that this process works on");
  const stageSeconds = histogram("stage_seconds", "Time of a visit of a stage", {
    labelNames: ["stage"],
    buckets: STAGE_SECONDS,
  });
  const modelSeconds = histogram("model_call_seconds", "Time of a question to a model", {
    labelNames: ["model", "status"],
    buckets: RUN_SECONDS,
  });
  const tokens = counter("model_tokens_total", "Tokens, as models report them", [
    "model",
    "direction",
  ]);
  const usd = counter("model_usd_total", "Dollars by list prices, of models whose price is known", [
    "model",
  ]);
  const toolSeconds = histogram("tool_call_seconds", "Time of a call of a tool", {
    labelNames: ["status"],
    buckets: STAGE_SECONDS,
  });
  gauge("runs_pending", "Runs that wait for their turn, in the whole database", {
    aggregator: "max",
    async collect() {
      // Unknown is not zero.
      this.set((await pendingRuns(data)) ?? Number.NaN);
    },
  });
  gauge("database_up", "1 if the database answers, else 0", {
    aggregator: "min",
    async collect() {
      this.set((await pendingRuns(data)) === undefined ? 0 : 1);
    },
  });
  const shownModel = firstNames(MOST_NAMES);

  const countModel = async (event: TracedEvent & { kind: "model" }) => {
    const { inputTokens, cachedTokens, outputTokens, error, seconds } = event;
    const model = shownModel(event.model);
    modelSeconds.observe({ model, status: error === undefined ? "done" : "error" }, seconds);
    tokens.inc({ model, direction: "input" }, inputTokens);
    tokens.inc({ model, direction: "output" }, outputTokens);
    const price = await priceOf(event.model).catch(() => null);
    if (price) usd.inc({ model }, chatDollars(price, { inputTokens, cachedTokens, outputTokens }));
  };

  return {
    requests,
    runStarted: (graph: string, queuedSeconds: number) => {
      queued.observe({ graph }, queuedSeconds);
      running.inc();
    },
    runEnded: (graph: string, status: string, seconds: number) => {
      runs.inc({ graph, status });
      runSeconds.observe({ graph }, seconds);
      running.dec();
    },
    event: (event: TracedEvent) => {
      if (event.kind === "stage") stageSeconds.observe({ stage: event.stage }, event.seconds);
      else if (event.kind === "tool") toolSeconds.observe({ status: event.status }, event.seconds);
      else void countModel(event);
    },
    /** In Prometheus' text format, of all processes of the port. */
    text: async () => await (first ?? registry).metrics(),
  };
}

/** The number of runs that wait for their turn; undefined if the database does not answer. */
async function pendingRuns({ db }: ServerStore): Promise<number | undefined> {
  const asked = db
    .selectFrom("runs")
    .where("status", "=", "pending")
    .select(({ fn }) => fn.countAll<number>().as("runs"))
    .executeTakeFirst()
    .then(
      (row) => row?.runs ?? 0,
      () => undefined,
    );
  return await Promise.race([asked, sleep(ANSWER_MS, undefined, { ref: false })]);
}

/** Keeps the names that come first, and replaces later ones by `other`. */
function firstNames(most: number): (name: string) => string {
  const known = new Set<string>();
  return (name) => {
    if (known.size < most) known.add(name);
    return known.has(name) ? name : "other";
  };
}
