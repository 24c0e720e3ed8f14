import { setMaxListeners } from "node:events";
import { HandedOver } from "../../../common/orAborted.js";
import { openConnections } from "../../sources/credentials/store.js";
import type { SourceRegistry } from "../../sources/connected.js";
import type { ToolRecord } from "../../tool.js";
import { type CallOutcome, outcomeOf } from "./callOutcome.js";
import type { RuntimeParts } from "./callScope.js";
import { openFunctionWorkers } from "../functions/functionWorkers.js";
import { createGates } from "./gate.js";
import { invoke } from "./invoke.js";
import { remoteCallers } from "./remoteCalls.js";
import { runCall } from "./runCall.js";
import type { CallsToRun, ToolRuntime, ToolRuntimeSettings } from "../runtime.js";
import type { Journal } from "../journal/journal.js";
import { openSandbox } from "../sandbox/openSandbox.js";
import type { Worlds } from "../worlds/worlds.js";

/** Longer results, in characters, stay in the journal and are referred to (default). */
const MAX_RESULT_CHARS = 100_000;

const NO_SOURCES: SourceRegistry = {
  list: async () => [],
  get: async () => undefined,
  async put() {},
  async remove() {},
};

/** Makes calls. Separate from the runtime, so that it is loaded only for the first call. */
export type CallEngine = Pick<ToolRuntime, "runCalls" | "tryOut" | "close">;

/** Creates the pools of workers and sandbox threads; threads start on demand. */
export function openEngine(
  settings: ToolRuntimeSettings,
  journal: Journal,
  worlds: Worlds,
): CallEngine {
  const { maxResultChars = MAX_RESULT_CHARS } = settings;
  const workers = openFunctionWorkers(settings.workers);
  const sandbox = openSandbox(settings.sandbox);
  const { home, url, sources = NO_SOURCES, onListed } = settings;
  const connections = openConnections({ home, url });
  const remotes = remoteCallers({ sources, onListed, connections });
  const parts: RuntimeParts = {
    invoke: settings.invoke ?? invoke,
    journal,
    workers,
    sandbox,
    remotes,
    underWay: new Map(),
    worlds,
    worldDefinitions: settings.worlds ?? [],
    worldGates: createGates(1),
    worldOf: (record) => worldOf(record, worlds),
    catalogs: settings.catalogs,
  };
  const work = openWork();
  return {
    runCalls: (request) =>
      work.run(request.signal, (signal) =>
        runTogether(parts, { ...request, signal }, maxResultChars),
      ),
    tryOut: (request) =>
      work.run(request.signal, async (signal) => {
        const { tryOut } = await import("../trials.js");
        return await tryOut(parts, { ...request, signal });
      }),
    async close() {
      await work.end();
      await Promise.all([workers.close(), sandbox.close(), remotes.close()]);
      await connections.close();
    },
  };
}

function openWork() {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  return {
    /** Runs a body; its signal is aborted with the given one or by `end`. */
    async run<T>(
      given: AbortSignal | undefined,
      body: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const signal = AbortSignal.any(given ? [given, closing.signal] : [closing.signal]);
      // Many concurrent calls listen to it; this is not a leak.
      setMaxListeners(0, signal);
      const result = body(signal);
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    async end(): Promise<void> {
      closing.abort(new HandedOver());
      await Promise.allSettled(running);
    },
  };
}

async function runTogether(
  parts: RuntimeParts,
  { calls, answers, ...request }: CallsToRun & { signal: AbortSignal },
  maxResultChars: number,
): Promise<CallOutcome[]> {
  const { signal } = request;
  const scope = { ...parts, ...request };
  const since = Date.now();
  const run = async ({ id, tool, args }: CallsToRun["calls"][number]) => {
    const call = { id, record: tool, args, depth: 0, worldsAbove: [], since, signal, answers };
    const settlement = await runCall(scope, call);
    return outcomeOf({ id, tool: tool.id, args }, settlement, maxResultChars);
  };
  // A failing journal ends the run, but only after every call has ended.
  const ended = await Promise.allSettled(calls.map(run));
  return ended.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

/** A declared tool names its world; functions of a catalog that take a context act on that of the catalog. */
function worldOf({ source }: ToolRecord, worlds: Worlds): string | undefined {
  if (source.kind === "declared") return source.world;
  const name = source.kind === "function" && source.takesContext ? source.catalog : undefined;
  return name !== undefined && worlds.has(name) ? name : undefined;
}
