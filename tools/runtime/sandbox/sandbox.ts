/** A program to be run in the sandbox: one call of its one function. */
export interface SandboxCall {
  /** JavaScript that defines the function as a global (`ToolSource.program`). */
  program: string;
  functionName: string;
  /** In the order of the parameters, as JSON data; `undefined` for one that is left out. */
  args: readonly unknown[];
  /** Ends the call when it is aborted, whatever the program does. */
  signal: AbortSignal;
  /** Told when the program starts: neither starting a thread nor waiting for one is its own time. */
  onStarted?: () => void;
  /** Answers `callTool(name, args)` in the program; without it, every such call fails. */
  callTool?: (call: { tool: string; args: unknown }) => Promise<unknown>;
}

/** What a program may use. */
export interface SandboxLimits {
  /** Time that it may compute, waiting for called tools left out, in milliseconds. */
  computeMs: number;
  memoryMb: number;
  /** Characters of its result as JSON. */
  resultChars: number;
}

/**
 * Runs functions that a model has written: no files, network, process, timers, or objects of the host,
 * and nothing left over from one call to the next.
 */
export interface Sandbox {
  /**
   * Waits for one of the places and runs the body in it.
   * @param request.depth 0 for a call of the model, 1 for one that such a call makes, and so on: each
   * depth has places of its own, so that a call never waits for the place of its caller
   */
  enter<T>(request: { depth: number; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
  /**
   * @returns the result as JSON text; undefined when the function gives nothing
   * @throws ToolError with one line for the model: what the function threw, or which limit it met; the
   * signal's reason when it is aborted
   */
  run(call: SandboxCall): Promise<string | undefined>;
  /** Ends all threads; no call may follow. */
  close(): Promise<void>;
}
