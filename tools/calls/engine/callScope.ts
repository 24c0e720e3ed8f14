import type {
  Behalf,
  InputAnswer,
  InputRequest,
  RemoteCall,
  RemoteCaller,
  RemoteResult,
  RemoteTask,
} from "../../remote.js";
import { type ToolRecord, isExport } from "../../tool.js";
import type { FunctionWorkers } from "../functions/functionWorkers.js";
import type { ClaimedCall, Journal } from "../journal/journal.js";
import type { Sandbox } from "../sandbox/openSandbox.js";
import type { SavedWorld, WorldStates } from "../worlds/worldStates.js";
import type { LazyWorld, WorldDefinition, Worlds } from "../worlds/worlds.js";
import type { CallClock } from "./callClock.js";
import type { Settlement } from "./callOutcome.js";
import type { Expected } from "./expected.js";
import type { Gates } from "./gate.js";

// What the files of the engine give each other.

/** The calls of one message, to be run together. */
export interface CallsToRun {
  threadId: string;
  /** Token of the run's hold on the thread; absent if nobody holds it. */
  hold?: string;
  /** On whose behalf the calls are made; if absent, nobody's own credentials are used. */
  behalf?: Behalf;
  calls: readonly (Pick<RequestedCall, "id" | "undoes"> & {
    tool: ToolRecord;
    args: Record<string, unknown>;
  })[];
  /** The run that makes the calls. */
  runId?: string;
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

/** What is done with the journal of calls. */
type JournalUse =
  | "begin"
  | "start"
  | "noteTask"
  | "noteLook"
  | "learn"
  | "finish"
  | "release"
  | "withdraw"
  | "settle"
  | "calls";

export interface RuntimeParts {
  /** Makes a call from the check of its arguments to its settlement; tools and questions about writes call it too. */
  run: (scope: CallScope, call: RequestedCall) => Promise<Settlement>;
  /** Answers a call whose turn it is: by running its tool, unless the runtime was opened with something else. */
  invoke: Invoke;
  journal: WorldStates & RemoteCall["files"] & Pick<Journal, JournalUse>;
  workers: FunctionWorkers;
  sandbox: Sandbox;
  /** Makes calls of connected sources' tools; opened for the first of them. */
  remotes: () => Promise<RemoteCaller>;
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

/**
 * Waits for a free place in the pool that a tool runs in, if it needs one, and does the work. Each depth has its own
 * places, so that a call never waits for that of its caller.
 */
export async function inPool<Result>(
  { sandbox, workers }: Pick<RuntimeParts, "sandbox" | "workers">,
  { depth, record: { source } }: Pick<RequestedCall, "depth" | "record">,
  { signal, body }: { signal: AbortSignal; body: () => Promise<Result> },
): Promise<Result> {
  const isCatalogs = source.kind === "function" && source.catalog !== undefined;
  const pool = source.kind === "generated" ? sandbox : isExport(source) && !isCatalogs && workers;
  return await (pool ? pool.enter({ key: String(depth), signal, body }) : body());
}

/** What all calls of one run share. */
export interface CallScope
  extends
    RuntimeParts,
    Pick<
      CallsToRun,
      "threadId" | "runId" | "hold" | "behalf" | "timeoutMs" | "deadline" | "library" | "plans"
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
  /** The write that it takes back, and what has to hold for it to be made. */
  undoes?: { ref: string; expects?: Expected };
}

/** A call with valid arguments. */
export interface CheckedCall {
  scope: CallScope;
  call: RequestedCall;
  /** With defaults filled in. */
  args: Record<string, unknown>;
  /** Name of the world that the tool acts on. */
  world: string | undefined;
  timeoutMs: number;
  clock: CallClock;
}

/** A call whose turn it is. */
export interface Invocation
  extends Omit<CheckedCall, "timeoutMs">, Pick<ToolCaller, "callTool" | "callAt" | "wait"> {
  /**
   * Wait for this before the tool's own code can have a lasting effect. Worlds and the sandbox need no such wait: changes
   * of a world are saved with the end of the call or not at all, and a program in the sandbox reaches nothing by itself.
   */
  onStart: () => Promise<void>;
  task: RemoteTask;
}

/** The outcome of a call that has ended by itself or waits for a person. */
export interface Invoked extends RemoteResult {
  world?: SavedWorld;
  /** Duration as the world reports it; if absent, the real one counts. */
  ms?: number;
}

/** Answers a call; what it throws is the outcome of the call. */
export type Invoke = (invocation: Invocation) => Promise<Invoked>;

/** Makes a call's own calls of other tools. */
export interface ToolCaller {
  callTool: (call: { tool: string; args: unknown }) => Promise<unknown>;
  /**
   * Like `callTool`, but under a name that the caller chooses instead of a number, and without throwing if the call
   * fails.
   * @throws Error for a forbidden tool, and for a call that waits for a person
   */
  callAt: (call: { place: string; tool: string; args: unknown }) => Promise<Settlement>;
  /** Has the call wait until a person has answered. */
  wait: (question: InputRequest) => never;
  cost(): number;
  /** What a person is asked before these calls go on: the caller then waits too, however it has taken the error. */
  asked: () => readonly InputRequest[];
}
