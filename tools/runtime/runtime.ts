import type { CheckOutcome } from "../generated/draft.js";
import type { ToolRecord } from "../tool.js";
import type { CallOutcome } from "./outcome.js";
import type { PlanSettings, ToolLookup } from "./callScope.js";
import { type Journal, openJournal } from "./journal.js";
import type { ThreadHolds } from "./threadHolds.js";
import type { SandboxLimits } from "./sandbox/sandbox.js";
import type { CallEngine } from "./engine.js";
import type { TrialRun, TrialSettings } from "./trialRun.js";
import type { TrialRequest } from "./tryOut.js";
import { type LazyWorld, type WorldDefinition, type Worlds, openWorlds } from "./worlds.js";

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
  openTrial(settings: TrialSettings): Promise<TrialRun>;
  journal: Journal & ThreadHolds;
  worlds: Worlds;
  /** Ends what runs and closes the journal. */
  close(): Promise<void>;
}

/** Opens the journal; what makes calls is loaded for the first one. */
export function createToolRuntime(settings: ToolRuntimeSettings): ToolRuntime {
  const journal = openJournal({ home: settings.home });
  const worlds = openWorlds({ definitions: settings.worlds ?? [], states: journal });
  let loading: Promise<CallEngine> | undefined;
  const engine = () =>
    (loading ??= import("./engine.js").then(({ openEngine }) =>
      openEngine({ settings, journal, worlds }),
    ));
  return {
    journal,
    worlds,
    runCalls: async (request) => (await engine()).runCalls(request),
    tryOut: async (request) => (await engine()).tryOut(request),
    openTrial: async (trial) => (await engine()).openTrial(trial),
    async close() {
      await (await loading)?.close();
      journal.close();
    },
  };
}
