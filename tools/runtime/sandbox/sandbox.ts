import { ToolError } from "../functions/workerCall.js";

/** A program to run in the sandbox: one call of its function. */
export interface SandboxCall {
  /** JavaScript that defines the function as a global (`ToolSource.program`). */
  program: string;
  functionName: string;
  /** In the order of the parameters: JSON data and dates, undefined if missing. */
  args: readonly unknown[];
  /** Aborting it always ends the call. */
  signal: AbortSignal;
  /** Called when the program starts, because starting or awaiting a thread is not its own time. */
  onStarted?: () => void;
  /** Answers `callTool(name, args)` in the program; if absent, every such call fails. */
  callTool?: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** Limits of a program. */
export interface SandboxLimits {
  /** Computing time without waiting for tools, in milliseconds. */
  computeMs: number;
  memoryMb: number;
  /** Most characters of its result as JSON. */
  resultChars: number;
}

/** Default limits of a program. */
export const DEFAULT_LIMITS: SandboxLimits = {
  computeMs: 5_000,
  memoryMb: 64,
  resultChars: 1_000_000,
};

/**
 * A program exceeded a limit or broke a rule. This is not an error of its function, so no example can expect it.
 */
export class SandboxLimit extends ToolError {}

/**
 * Runs functions written by models, without files, network, process, timers or objects of the host, and with
 * nothing left from one call to the next.
 */
export interface Sandbox {
  /**
   * Waits for a free slot and runs the body in it.
   * @param request.depth 0 for a call of the model, 1 for a call made by that call, and so on. Each depth has
   * its own slots, so that a call never waits for its caller's slot
   */
  enter<T>(request: { depth: number; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
  /**
   * @returns the result as JSON text; undefined if there is none
   * @throws ToolError with one line for the model: what the function threw, or which limit it exceeded; the
   * signal's reason if aborted
   */
  run(call: SandboxCall): Promise<string | undefined>;
  /** Ends all threads; no call may follow. */
  close(): Promise<void>;
}
