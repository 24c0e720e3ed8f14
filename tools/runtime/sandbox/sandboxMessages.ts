import type { SandboxLimits } from "./sandbox.js";

/** A call of a program, as sent to a sandbox thread: only texts and numbers. */
export interface ProgramCall {
  program: string;
  functionName: string;
  /** JSON text of `EncodedArguments`. */
  args: string;
  limits: SandboxLimits;
}

/** What the host says to a thread. */
export type HostMessage = { type: "call"; call: ProgramCall } | ToolAnswer;

/** The outcome of a called tool; `json` is absent if there was no result. */
export type ToolAnswer =
  | { type: "answer"; id: number; ok: true; json?: string }
  | { type: "answer"; id: number; ok: false; error: string };

/** Why a program has no result. */
export type FailureKind =
  /** Its function threw something. */
  | "threw"
  /** Its text does not run or does not define the function. */
  | "program"
  /** The engine threw: memory, stack, or a too long text. */
  | "engine"
  /** It computed too long. */
  | "time"
  | "memory"
  /** Nothing can settle its promise any more. */
  | "pending"
  /** Its result has too many characters. */
  | "result"
  /** Its result has no JSON form. */
  | "form";

/** How a call ended. */
export type ProgramEnd =
  | { type: "done"; json?: string }
  /** `text` says more and comes from the program; `stack` is the engine's, or what the program made of it. */
  | { type: "failed"; kind: FailureKind; text?: string; stack?: string };

/** What a thread says to its host. */
export type ThreadMessage =
  /** The program now computes, for at most `leftMs`. */
  | { type: "computes"; leftMs: number }
  /** It waits for tools it called. */
  | { type: "waits" }
  | { type: "callTool"; id: number; tool: string; json: string }
  | ProgramEnd;
