import type { DataPlace } from "../../storage/database.js";
import type { CheckOutcome } from "../sources/made/draft.js";
import type { ConnectedListing, SourceRegistry } from "../sources/connected.js";
import type { ToolRecord } from "../tool.js";
import type { CallOutcome, InputAnswer } from "./engine/callOutcome.js";
import type { PlanSettings, ToolLookup } from "./engine/callScope.js";
import type { Invoke } from "./engine/invoke.js";
import { type Journal, openJournal } from "./journal/journal.js";
import type { Approvals } from "./journal/approvals.js";
import type { StandingCalls } from "./journal/standingCalls.js";
import type { ThreadHolds } from "./journal/threadHolds.js";
import type { SandboxLimits } from "./sandbox/sandbox.js";
import type { CallEngine } from "./engine/callEngine.js";
import type { TrialRequest } from "./trials.js";
import { type LazyWorld, type WorldDefinition, type Worlds, openWorlds } from "./worlds/worlds.js";

/** Settings of a runtime, including the place of its journal. */
export interface ToolRuntimeSettings extends DataPlace {
  /** How long other processes wait for this one without a sign of life, in milliseconds. */
  leaseMs?: number;
  /** The connected sources whose tools can be called; default: none. */
  sources?: SourceRegistry;
  /** Told what a connected source offers now, whenever a call has listed it again. */
  onListed?: (listed: ConnectedListing) => Promise<void>;
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

/** On whose behalf calls are made. */
export interface Behalf {
  /** The owner who started or answered the run; empty on a machine that asks nobody who they are. */
  owner: string;
  /** The owner of the thread: if it is another one, nobody's own credentials are used. */
  threadOwner: string;
  /** The key, or the token's subject, with which that owner came. */
  caller: string;
  /** Whether whoever started the run may no longer act, asked before each write. @default never */
  isWithdrawn?: () => Promise<boolean>;
}

/** Whoever uses this machine. */
export const LOCAL: Behalf = { owner: "", threadOwner: "", caller: "" };

/** Key of a run's `Behalf` in its `configurable`. */
export const BEHALF_KEY = "__tulipgraph_behalf";

/** The calls of one message, to be run together. */
export interface CallsToRun {
  threadId: string;
  /** Token of the run's hold on the thread; absent if nobody holds it. */
  hold?: string;
  /** On whose behalf the calls are made; if absent, nobody's own credentials are used. */
  behalf?: Behalf;
  calls: readonly { id: string; tool: ToolRecord; args: Record<string, unknown> }[];
  timeoutMs: number;
  /** End of the run's time, in milliseconds since 1970. */
  deadline?: number;
  signal?: AbortSignal;
  /** Where `ctx.callTool` finds tools; if absent, tools cannot call tools. */
  library?: ToolLookup;
  /** Default: today, and as many calls as the plan language allows. */
  plans?: PlanSettings;
  /**
   * A person's answers to questions of the calls' other side. If present, even empty, a person can be asked, and outcomes
   * may be "input"; if absent, such questions are declined.
   */
  answers?: readonly InputAnswer[];
}

/** Runs calls of tools, each at most once. */
export interface ToolRuntime {
  /**
   * Runs calls concurrently, except that those on one world run one at a time; outcomes are in the order of the
   * calls. Failures of calls and tools are part of the outcomes.
   *
   * @throws StorageFailed when the journal cannot be written, or the thread is held by another run
   */
  runCalls(request: CallsToRun): Promise<CallOutcome[]>;
  /**
   * Runs the example calls of a made tool without a trace: nothing is journaled, and changes of worlds
   * are dropped.
   */
  tryOut(request: TrialRequest): Promise<CheckOutcome[]>;
  journal: Journal & ThreadHolds & Approvals & StandingCalls;
  worlds: Worlds;
  /** Ends all running calls and closes the journal. */
  close(): Promise<void>;
}

/** Opens the journal; the engine is loaded for the first call. */
export function createToolRuntime(settings: ToolRuntimeSettings): ToolRuntime {
  const { home, url, leaseMs } = settings;
  const journal = openJournal({ home, url }, { leaseMs });
  const worlds = openWorlds(settings.worlds ?? [], journal);
  let loading: Promise<CallEngine> | undefined;
  const engine = () =>
    (loading ??= import("./engine/callEngine.js").then(({ openEngine }) =>
      openEngine(settings, journal, worlds),
    ));
  return {
    journal,
    worlds,
    runCalls: async (request) => (await engine()).runCalls(request),
    tryOut: async (request) => (await engine()).tryOut(request),
    async close() {
      await (await loading)?.close();
      await journal.close();
    },
  };
}
