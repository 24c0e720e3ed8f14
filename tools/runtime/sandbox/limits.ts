import { ToolError } from "../workerCall.js";
import type { SandboxLimits } from "./sandbox.js";

/** What a program may use, unless said otherwise. */
export const DEFAULT_LIMITS: SandboxLimits = {
  computeMs: 5_000,
  memoryMb: 64,
  resultChars: 1_000_000,
};

/**
 * A limit that a program has met, or a rule that it does not keep: nothing that its function has thrown,
 * so it is no error that an example may expect.
 */
export class SandboxLimit extends ToolError {}
