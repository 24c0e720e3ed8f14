import type { SandboxLimits } from "./sandbox.js";

/** One call of a program, as it goes to a thread of the sandbox: texts and numbers alone. */
export interface ProgramCall {
  program: string;
  functionName: string;
  /** JSON text of `EncodedArguments`. */
  args: string;
  limits: SandboxLimits;
}

/** What the host says to a thread. */
export type HostMessage = { type: "call"; call: ProgramCall } | ToolAnswer;

/** What has come of a called tool; `json` is left out when it gave nothing. */
export type ToolAnswer =
  | { type: "answer"; id: number; ok: true; json?: string }
  | { type: "answer"; id: number; ok: false; error: string };

/** Why a program has not come to its result. */
export type FailureKind =
  /** Its function has thrown something. */
  | "threw"
  /** Its text does not run, or defines no such function. */
  | "program"
  /** The engine has thrown: memory, stack, or a text that is too long. */
  | "engine"
  /** It has computed for too long. */
  | "time"
  | "memory"
  /** Nothing is left that could settle its promise. */
  | "pending"
  /** Its result has too many characters. */
  | "result"
  /** Its result has no form as JSON. */
  | "form";

/** How a call has ended. */
export type ProgramEnd =
  | { type: "done"; json?: string }
  /** `text` says more and comes from the program; `stack` is the engine's, or what the program made of it. */
  | { type: "failed"; kind: FailureKind; text?: string; stack?: string };

/** What a thread says to its host. */
export type ThreadMessage =
  /** The program computes from now on; it may do so for `leftMs`. */
  | { type: "computes"; leftMs: number }
  /** It waits for the tools that it has called. */
  | { type: "waits" }
  | { type: "callTool"; id: number; tool: string; json: string }
  | ProgramEnd;
