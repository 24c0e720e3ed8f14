import { setMaxListeners } from "node:events";
import { HandedOver } from "../../../common/orAborted.js";
import type { RemoteCaller } from "../../remote.js";
import type { ToolRecord } from "../../tool.js";
import { openFunctionWorkers } from "../functions/functionWorkers.js";
import { openSandbox } from "../sandbox/openSandbox.js";
import type { SandboxLimits } from "../functions/workerMessages.js";
import { type CheckOutcome, type TrialRequest, tryOut } from "../trials.js";
import type { LazyWorld, WorldDefinition, Worlds } from "../worlds/worlds.js";
import { type CallOutcome, outcomeOf } from "./callOutcome.js";
import type { CallsToRun, Invoke, RuntimeParts } from "./callScope.js";
import { createGates } from "./gate.js";
import { invoke } from "./invoke.js";
import { runCall } from "./runCall.js";

/** Longer results, in characters, stay in the journal and are referred to (default). */
const MAX_RESULT_CHARS = 100_000;

export interface EngineSettings {
  /** Opens what makes calls of connected sources' tools, for the first of them; default: such calls fail. */
  remotes?: () => Promise<RemoteCaller>;
  worlds?: readonly (WorldDefinition | LazyWorld)[];
  /** Longer results, in characters, are cut for the model and referred to in the state. */
  maxResultChars?: number;
  /** Number of workers, and the memory of each in megabytes. */
  workers?: { size?: number; memoryMb?: number };
  /** Number of the sandbox's threads, and the limits of each program. */
  sandbox?: { size?: number; limits?: Partial<SandboxLimits> };
  /** What answers calls, after all checks and the journal; default: the tools themselves. */
  invoke?: Invoke;
  /** Folder of the catalogs; default: the shipped ones. */
  catalogs?: URL;
}

/** Makes calls. Separate from the runtime, so that it is loaded only for the first call. */
export type CallEngine = ReturnType<typeof openEngine>;

/** Creates the pools of workers and sandbox threads; threads start on demand. */
export function openEngine(
  settings: EngineSettings,
  journal: RuntimeParts["journal"],
  worlds: Worlds,
) {
  const { maxResultChars = MAX_RESULT_CHARS, remotes = noRemotes } = settings;
  const workers = openFunctionWorkers(settings.workers);
  const sandbox = openSandbox(settings.sandbox);
  let opened: Promise<RemoteCaller> | undefined;
  const parts: RuntimeParts = {
    run: runCall,
    invoke: settings.invoke ?? invoke,
    journal,
    workers,
    sandbox,
    remotes: () => (opened ??= remotes()),
    underWay: new Map(),
    worlds,
    worldDefinitions: settings.worlds ?? [],
    worldGates: createGates(1),
    worldOf: (record) => worldOf(record, worlds),
    catalogs: settings.catalogs,
  };
  const work = new Work();
  return {
    /**
     * Runs calls in their order, as a program does: reads that follow each other concurrently, except on one world, and
     * each write alone. Outcomes are in the order of the calls. Failures of calls and tools are part of the outcomes.
     *
     * @throws StorageFailed when the journal cannot be written, or the thread is held by another run
     */
    runCalls: (request: CallsToRun): Promise<CallOutcome[]> =>
      work.run(request.signal, (signal) =>
        runTogether(parts, { ...request, signal }, maxResultChars),
      ),
    /** Runs the example calls of a made tool without a trace: nothing is journaled, and changes of worlds are dropped. */
    tryOut: (request: TrialRequest): Promise<CheckOutcome[]> =>
      work.run(request.signal, (signal) => tryOut(parts, { ...request, signal })),
    /** Ends all running calls. */
    async close() {
      await work.end();
      await Promise.all([workers.close(), sandbox.close(), (await opened)?.close()]);
    },
  };
}

async function noRemotes(): Promise<never> {
  throw new Error("this runtime was opened without connected sources");
}

/** What an engine is doing. */
class Work {
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  /** Runs a body; its signal is aborted with the given one or by `end`. */
  async run<T>(
    given: AbortSignal | undefined,
    body: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const closing = this.#closing.signal;
    const signal = AbortSignal.any(given ? [given, closing] : [closing]);
    // Many concurrent calls listen to it; this is not a leak.
    setMaxListeners(0, signal);
    const result = body(signal);
    this.#running.add(result);
    try {
      return await result;
    } finally {
      this.#running.delete(result);
    }
  }

  async end(): Promise<void> {
    this.#closing.abort(new HandedOver());
    await Promise.allSettled(this.#running);
  }
}

async function runTogether(
  parts: RuntimeParts,
  { calls, answers, ...request }: CallsToRun & { signal: AbortSignal },
  maxResultChars: number,
): Promise<CallOutcome[]> {
  const { signal } = request;
  const scope = { ...parts, ...request };
  const since = Date.now();
  const run = async ({ id, tool, args, undoes }: CallsToRun["calls"][number]) => {
    const call = {
      id,
      record: tool,
      args,
      undoes,
      depth: 0,
      worldsAbove: [],
      since,
      signal,
      answers,
    };
    const settlement = await runCall(scope, call);
    return outcomeOf({ id, tool: tool.id, args }, settlement, maxResultChars);
  };
  const outcomes: CallOutcome[] = [];
  for (const group of inOrder(calls)) {
    // A failing journal ends the run, but only after every call that has begun has ended.
    const ended = await Promise.allSettled(group.map(run));
    for (const each of ended) {
      if (each.status === "rejected") throw each.reason;
      outcomes.push(each.value);
    }
  }
  return outcomes;
}

/** Reads that follow each other together, and each write alone: a model may have written it after what it builds on. */
function inOrder<Call extends { tool: Pick<ToolRecord, "effects"> }>(
  calls: readonly Call[],
): Call[][] {
  const groups: Call[][] = [];
  for (const [at, call] of calls.entries()) {
    const isAmongReads = call.tool.effects === "read" && calls[at - 1]?.tool.effects === "read";
    if (isAmongReads) groups.at(-1)?.push(call);
    else groups.push([call]);
  }
  return groups;
}

/** A declared tool names its world; functions of a catalog that take a context act on that of the catalog. */
function worldOf({ source }: ToolRecord, worlds: Worlds): string | undefined {
  if (source.kind === "declared") return source.world;
  const name = source.kind === "function" && source.takesContext ? source.catalog : undefined;
  return name !== undefined && worlds.has(name) ? name : undefined;
}
