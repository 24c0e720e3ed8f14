import type { ToolRecord } from "../../tool.js";
import type { FunctionWorkers } from "../functions/functionWorkers.js";
import type { Gates } from "./gate.js";
import type { InputAnswer } from "./callOutcome.js";
import type { ClaimedCall, Journal } from "../journal/journal.js";
import type { RemoteCallers } from "./remoteCalls.js";
import type { Sandbox } from "../sandbox/sandbox.js";
import type { CallsToRun } from "../runtime.js";
import type { Invoke } from "./invoke.js";
import type { LazyWorld, WorldDefinition, Worlds } from "../worlds/worlds.js";

export interface RuntimeParts {
  /** Answers a call whose turn it is: by running its tool, unless the runtime was opened with something else. */
  invoke: Invoke;
  journal: Journal;
  workers: FunctionWorkers;
  sandbox: Sandbox;
  remotes: RemoteCallers;
  /** Writes under way at the other side while it waits for a person's answer, by reference. */
  underWay: Map<string, ClaimedCall>;
  worlds: Worlds;
  /** What `worlds` was opened with; trials open copies. */
  worldDefinitions: readonly (WorldDefinition | LazyWorld)[];
  /** Only one call at a time acts on a world of a run. */
  worldGates: Gates;
  /** Name of the world that a tool acts on. */
  worldOf: (record: ToolRecord) => string | undefined;
  /** Folder of the shipped catalogs; default: the project's own. */
  catalogs?: URL;
}

/** What all calls of one run share. */
export interface CallScope
  extends
    RuntimeParts,
    Pick<
      CallsToRun,
      "threadId" | "hold" | "behalf" | "timeoutMs" | "deadline" | "library" | "plans"
    > {
  /**
   * Told in one line whenever a tool breaks a rule: by a forbidden call, or by exceeding a limit of the sandbox. A thrown
   * error is not enough, because a function may catch it or pass it on as its own.
   */
  onBreach?: (breach: string) => void;
}

/** Finds tools by id: a library, or a filter in front of one. */
export interface ToolLookup {
  /** Undefined if there is none; throws if the tool must not be called. */
  get(toolId: string): ToolRecord | undefined;
  /** Looks a tool up without calling it, if `get` does more than that. */
  find?(toolId: string): ToolRecord | undefined;
  /**
   * Whether a person is asked before each call of a tool.
   * @default as the tool declares
   */
  needsApproval?(tool: ToolRecord): boolean;
}

/** Looks a tool up without calling it. */
export function toolIn(library: ToolLookup | undefined, toolId: string): ToolRecord | undefined {
  return library?.find ? library.find(toolId) : library?.get(toolId);
}

/** Settings for running saved plans. */
export interface PlanSettings {
  /** The day of the run: "2026-03-01". */
  today: string;
  /** Most calls of one plan. */
  mostCalls: number;
  /** A person is asked about a plan's calls: those that need approval, or all writes. Without it, consent to the call covers them. */
  asks?: "needed" | "writes";
}

/** A call to be made. */
export interface RequestedCall {
  id: string;
  record: ToolRecord;
  args: unknown;
  /** 0 for a call of the model, 1 for one that such a call makes, and so on. */
  depth: number;
  /** Worlds that the calls above this one act on. */
  worldsAbove: readonly string[];
  /** When the calls of the message began, in milliseconds since 1970. */
  since: number;
  signal?: AbortSignal;
  /** A person's answers to questions of the other side; absent if nobody can be asked. */
  answers?: readonly InputAnswer[];
}
