import cluster, { type Worker } from "node:cluster";
import { once } from "node:events";

/*
 * Several processes that serve one port. The first process opens it for them, and takes no connections itself: one that
 * was handed to a process which died at that moment would hang for ever.
 */

/**
 * How long to wait before a process that has ended is replaced, in milliseconds. The wait doubles, up to the longest, while
 * processes end before they serve.
 */
const REPLACE_MS = 1_000;
const LONGEST_REPLACE_MS = 60_000;

/** Processes that may end one after another before they serve. If none serves by then, the first one gives up. */
const MOST_FAILURES = 5;

/** How long a process that has given up starting may take to end, in milliseconds. */
const ENDING_MS = 5_000;

/** How often processes tell how many runs they work on, and are told how many the idlest has, in milliseconds. */
const COMPARE_MS = 100;

/** What a process that serves tells: its address, and what the person who starts it should know. */
export interface Started {
  url: string;
  lines: string[];
}

/**
 * What a process tells the first one: that it serves, topics of signals for the others, how many runs it works on, or a
 * wish for all metrics.
 */
type Told =
  | { started: Started }
  | { topics: readonly string[] }
  | { runs: number }
  | { wantsMetrics: true };

/** What the first process tells another. */
type Order =
  | { topics: readonly string[] }
  | { fewestRuns: number }
  | { metrics: string }
  | { end: true };

/**
 * Starts this program several times. A process that ends is replaced, unless none of them can start any more.
 *
 * @param tell called with a line for each process that has ended
 * @returns the exit code if the first of them cannot start; it has said why
 */
export async function startProcesses(
  count: number,
  tell: (line: string) => void,
): Promise<(Started & { close: () => Promise<void> }) | number> {
  let isClosing = false;
  const keep = (one: Worker, failed = 0) => {
    let hasServed = false;
    one.on("message", (told: Told) => (hasServed ||= "started" in told));
    one.once("exit", (code: number, signal: string | null) => {
      if (isClosing) return;
      const failures = hasServed ? 0 : failed + 1;
      const ended = `Process ${one.process.pid} has ended (${signal ?? code})`;
      if (failures >= MOST_FAILURES && all().length === 0) {
        tell(
          `${ended} before it could serve, as did ${failures - 1} before it, so the server stops. The reason is above`,
        );
        process.exit(1);
      }
      const pauseMs = Math.min(REPLACE_MS * 2 ** failures, LONGEST_REPLACE_MS);
      tell(`${ended}; it is replaced in ${pauseMs / 1000} s`);
      setTimeout(() => isClosing || keep(cluster.fork(), failures), pauseMs);
    });
  };
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  const { AggregatorRegistry } = await import("prom-client");
  const metrics = new AggregatorRegistry();
  const comparing = compareRuns();
  cluster.on("message", async (from, told: Told) => {
    if ("topics" in told) for (const one of all()) if (one !== from) order(one, told);
    if ("runs" in told) comparing.set(from, told.runs);
    if ("wantsMetrics" in told) order(from, { metrics: await metrics.clusterMetrics() });
  });
  process.once("exit", () => all().forEach((one) => one.process.kill("SIGKILL")));
  // It brings the database up to date and takes the port, or tells why it cannot.
  const first = cluster.fork();
  const started = await startOf(first);
  if (typeof started === "number") return started;
  const others = Array.from({ length: count - 1 }, () => cluster.fork());
  for (const one of [first, ...others]) keep(one);
  await Promise.all(others.map(startOf));
  return {
    ...started,
    close: async () => {
      isClosing = true;
      const ended = all().map((one) => once(one, "exit"));
      for (const one of all()) order(one, { end: true });
      await Promise.all(ended);
    },
  };
}

/** Tells all processes how many runs the idlest of them works on, whenever that has changed. */
function compareRuns(): Map<Worker, number> {
  const runs = new Map<Worker, number>();
  let told = 0;
  const compare = () => {
    const serving = all();
    const fewestRuns = Math.min(...serving.map((one) => runs.get(one) ?? Infinity));
    if (fewestRuns === told || fewestRuns === Infinity) return;
    told = fewestRuns;
    for (const one of serving) order(one, { fewestRuns });
  };
  cluster.on("exit", (one) => runs.delete(one));
  setInterval(compare, COMPARE_MS).unref();
  return runs;
}

/** The processes that serve. */
function all(): Worker[] {
  return Object.values(cluster.workers ?? {}).flatMap((one) => (one && !one.isDead() ? [one] : []));
}

/** One that has just ended is told nothing. */
function order(one: Worker, what: Order): void {
  one.send(what, () => undefined);
}

/** Waits until a process serves. @returns its exit code if it has ended instead, 1 if it was killed */
async function startOf(one: Worker): Promise<Started | number> {
  return await new Promise((done) => {
    one.once("exit", (code: number | null) => done(code ?? 1));
    // What a failed start holds open must not keep whoever waits for it.
    const end = () => setTimeout(() => one.process.kill("SIGKILL"), ENDING_MS).unref();
    one.once("disconnect", end);
    one.on("message", (told: Told) => {
      if (!("started" in told)) return;
      one.off("disconnect", end);
      done(told.started);
    });
  });
}

/** The first process, as one of several sees it; undefined in a process on its own. */
export function firstProcess() {
  const { worker } = cluster;
  if (worker === undefined) return undefined;
  // Otherwise it ended at once if the first one were killed.
  worker.exitedAfterDisconnect = true;
  const tell = (told: Told) => void (worker.isConnected() && worker.send(told, () => undefined));
  return {
    tellStart: (started: Started) => tell({ started }),
    /** Signals the other processes. */
    send: (topics: readonly string[]) => tell({ topics }),
    /** @returns a function that ends it */
    onSignal: (listener: (topic: string) => void) => {
      const hear = (told: Order) => "topics" in told && told.topics.forEach(listener);
      process.on("message", hear);
      return () => void process.off("message", hear);
    },
    /**
     * Tells how many runs this process works on.
     *
     * @returns how many the idlest process of the port works on, a moment ago
     */
    compareRuns: (own: () => number): (() => number) => {
      let told: number | undefined;
      let fewest = 0;
      const compare = () => void (own() !== told && tell({ runs: (told = own()) }));
      setInterval(compare, COMPARE_MS).unref();
      process.on("message", (heard: Order) => {
        if ("fewestRuns" in heard) fewest = heard.fewestRuns;
      });
      return () => fewest;
    },
    /** The metrics of all processes together. */
    metrics: async () => {
      tell({ wantsMetrics: true });
      return await new Promise<string>((done) => {
        const hear = (told: Order) => {
          if (!("metrics" in told)) return;
          process.off("message", hear);
          done(told.metrics);
        };
        process.on("message", hear);
      });
    },
    /** Waits until this process is to end. Ctrl-C, which reaches all processes of a terminal, is left to the first. */
    untilEnd: async () => {
      process.on("SIGINT", () => undefined);
      await new Promise<void>((done) => {
        process.on("message", (told: Order) => "end" in told && done());
        process.once("disconnect", done);
        process.once("SIGTERM", done);
      });
    },
    leave: () => worker.isConnected() && process.disconnect(),
  };
}
