import type { ToolRecord } from "../tool.js";
import type { FunctionWorkers } from "./functionWorkers.js";
import type { Gates } from "./gate.js";
import type { Journal } from "./journal.js";
import type { Sandbox } from "./sandbox/sandbox.js";
import type { Worlds } from "./worlds.js";

/** What all calls of a runtime share. */
export interface RuntimeParts {
  journal: Journal;
  workers: FunctionWorkers;
  /** Runs what models have written. */
  sandbox: Sandbox;
  worlds: Worlds;
  /** One place for each world of each run. */
  worldGates: Gates;
  /** Name of the world that a tool acts on. */
  worldOf: (record: ToolRecord) => string | undefined;
  /** Folder of the catalogues that ship; left out: the project's own. */
  catalogs?: URL;
}

/** What all calls of one run share. */
export interface CallScope extends RuntimeParts {
  threadId: string;
  /** Token of the run's hold on the thread. */
  hold?: string;
  /** For tools that have none of their own. */
  timeoutMs: number;
  /** Milliseconds since 1970. */
  deadline?: number;
  /** Where the tools are found that tools call. */
  library?: ToolLookup;
  plans?: PlanSettings;
  /**
   * Told in one line each rule that a tool breaks: a call that it must not make, a limit of the sandbox. A
   * function may catch such an error of a called tool, or pass it on as its own.
   */
  onBreach?: (breach: string) => void;
}

/** Finds tools by their ids; a library does, or what stands before one and refuses some. */
export interface ToolLookup {
  /**
   * `undefined` when there is none; an error says why a tool must not be called.
   *
   * @param caller the tool that calls it; whoever has agreed to the call of a saved plan has agreed to what
   * the plan calls
   */
  get(toolId: string, caller?: ToolRecord): ToolRecord | undefined;
  /** The same for who only looks at a tool, where `get` does more than that. */
  find?(toolId: string): ToolRecord | undefined;
}

/** A tool that is only looked at. */
export function toolIn(library: ToolLookup | undefined, toolId: string): ToolRecord | undefined {
  return library?.find ? library.find(toolId) : library?.get(toolId);
}

/** What saved plans are carried out with. */
export interface PlanSettings {
  /** The day of the run: "2026-03-01". */
  today: string;
  /** Calls that one plan may make. */
  mostCalls: number;
}

/** A call that is to be made. */
export interface RequestedCall {
  id: string;
  record: ToolRecord;
  args: unknown;
  /** 0 for a call of the model, 1 for one that such a call makes, and so on. */
  depth: number;
  /** Worlds that the calls above this one act on. */
  worldsAbove: readonly string[];
  /** When the calls of the message were begun together, in milliseconds since 1970. */
  since: number;
  signal?: AbortSignal;
}
