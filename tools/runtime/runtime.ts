import { setMaxListeners } from "node:events";
import type { CheckOutcome } from "../generated/draft.js";
import type { ToolRecord } from "../tool.js";
import { type CallOutcome, outcomeOf } from "./outcome.js";
import type { PlanSettings, RuntimeParts, ToolLookup } from "./callScope.js";
import { openFunctionWorkers } from "./functionWorkers.js";
import { createGates } from "./gate.js";
import { type Journal, openJournal } from "./journal.js";
import { runCall } from "./runCall.js";
import type { ThreadHolds } from "./threadHolds.js";
import { openSandbox } from "./sandbox/openSandbox.js";
import type { SandboxLimits } from "./sandbox/sandbox.js";
import { type TrialRun, type TrialSettings, openTrial } from "./trialRun.js";
import { type TrialRequest, tryOut } from "./tryOut.js";
import { type LazyWorld, type WorldDefinition, type Worlds, openWorlds } from "./worlds.js";

/** A longer result is kept in the journal and referred to, unless said otherwise, in characters. */
const MAX_RESULT_CHARS = 100_000;

/** What a runtime is made of. */
export interface ToolRuntimeSettings {
  /** Folder of the project's data; the journal lies in its `runs.db`. */
  home: string;
  /** The worlds that tools act on. */
  worlds?: readonly (WorldDefinition | LazyWorld)[];
  /** Name of the world that a tool acts on; default: that of its catalogue, where it takes a context. */
  worldOf?: (record: ToolRecord) => string | undefined;
  /** A result with more characters is cut for the model and referred to in the state. */
  maxResultChars?: number;
  /** Size of the pool of workers, and the memory of each in megabytes. */
  workers?: { size?: number; memoryMb?: number };
  /** Size of the sandbox's pool of threads, and what each program of a model may use. */
  sandbox?: { size?: number; limits?: Partial<SandboxLimits> };
  /** Folder of the catalogues; default: those that ship. */
  catalogs?: URL;
}

/** The calls of one message, to be run together. */
export interface CallsToRun {
  threadId: string;
  /** Token of the run's hold on the thread; left out where nobody holds it. */
  hold?: string;
  calls: readonly { id: string; tool: ToolRecord; args: Record<string, unknown> }[];
  /** Time-out of tools that have none of their own, in milliseconds. */
  timeoutMs: number;
  /** End of the run's time, in milliseconds since 1970. */
  deadline?: number;
  /** Ends the calls when it is aborted. */
  signal?: AbortSignal;
  /** Where the tools are found that tools call with `ctx.callTool`; without it, none can be called. */
  library?: ToolLookup;
  /** Left out: today, and as many calls as the language of plans allows. */
  plans?: PlanSettings;
}

/** Runs the calls of tools, each at most once. */
export interface ToolRuntime {
  /**
   * Runs calls at the same time, those on one world one after another; the outcomes are in the order
   * of the calls. What is wrong with a call or a tool is told in its outcome.
   *
   * @throws StorageFailed when the journal cannot be written, or the thread is held by another run
   */
  runCalls(request: CallsToRun): Promise<CallOutcome[]>;
  /**
   * Runs the example calls of a tool that a model has written, without a trace: nothing is journaled, and
   * what it does to a world is forgotten.
   */
  tryOut(request: TrialRequest): Promise<CheckOutcome[]>;
  /** Opens a run of calls that build on each other, and of which nothing is left. */
  openTrial(settings: TrialSettings): TrialRun;
  journal: Journal & ThreadHolds;
  worlds: Worlds;
  /** Ends what runs and closes the journal. */
  close(): Promise<void>;
}

/** Opens the journal and makes the pool of workers, whose threads start when they are needed. */
export function createToolRuntime(settings: ToolRuntimeSettings): ToolRuntime {
  const { home, maxResultChars = MAX_RESULT_CHARS } = settings;
  const journal = openJournal({ home });
  const workers = openFunctionWorkers(settings.workers);
  const sandbox = openSandbox(settings.sandbox);
  const definitions = settings.worlds ?? [];
  const worlds = openWorlds({ definitions, states: journal });
  const parts: RuntimeParts = {
    journal,
    workers,
    sandbox,
    worlds,
    worldGates: createGates(1),
    worldOf: settings.worldOf ?? ((record) => catalogWorld(record, worlds)),
    catalogs: settings.catalogs,
  };
  const work = openWork();
  return {
    journal,
    worlds,
    runCalls: (request) =>
      work.run(request.signal, (signal) =>
        runTogether({ parts, request: { ...request, signal }, maxResultChars }),
      ),
    tryOut: (request) =>
      work.run(request.signal, (signal) =>
        tryOut({ parts, definitions, request: { ...request, signal } }),
      ),
    openTrial: (settings) =>
      openTrial({
        parts,
        definitions,
        settings,
        within: (body) => work.run(settings.signal, body),
        maxResultChars,
      }),
    async close() {
      await work.end();
      await Promise.all([workers.close(), sandbox.close()]);
      journal.close();
    },
  };
}

/** What runs for somebody and has to end with the runtime, too. */
function openWork() {
  const running = new Map<Promise<unknown>, AbortController>();
  return {
    /** Runs a body whose signal is aborted with the given one, or when all work is ended. */
    async run<T>(
      signal: AbortSignal | undefined,
      body: (signal: AbortSignal) => Promise<T>,
    ): Promise<T> {
      const closing = new AbortController();
      // Each of many calls at once listens to it, which is no leak.
      setMaxListeners(0, closing.signal);
      const cancel = () => closing.abort(signal?.reason);
      if (signal?.aborted) cancel();
      signal?.addEventListener("abort", cancel);
      const result = body(closing.signal);
      running.set(result, closing);
      try {
        return await result;
      } finally {
        running.delete(result);
        signal?.removeEventListener("abort", cancel);
      }
    },
    /** Ends all of it and waits for that. */
    async end(): Promise<void> {
      for (const closing of running.values()) closing.abort();
      await Promise.allSettled(running.keys());
    },
  };
}

async function runTogether({
  parts,
  request: { calls, ...request },
  maxResultChars,
}: {
  parts: RuntimeParts;
  request: CallsToRun & { signal: AbortSignal };
  maxResultChars: number;
}): Promise<CallOutcome[]> {
  const { signal } = request;
  const scope = { ...parts, ...request };
  const since = Date.now();
  const run = async ({ id, tool, args }: CallsToRun["calls"][number]) => {
    const place = { depth: 0, worldsAbove: [], since, signal };
    const settlement = await runCall(scope, { id, record: tool, args, ...place });
    return outcomeOf({ call: { id, tool: tool.id, args }, settlement, maxResultChars });
  };
  // A failing journal ends the run, but not before every call has come to its own end.
  const ended = await Promise.allSettled(calls.map(run));
  return ended.map((each) => {
    if (each.status === "rejected") throw each.reason;
    return each.value;
  });
}

function catalogWorld({ source }: ToolRecord, worlds: Worlds): string | undefined {
  if (source.kind === "declared") return source.world;
  const name = source.kind === "function" && source.takesContext ? source.catalog : undefined;
  return name !== undefined && worlds.has(name) ? name : undefined;
}
