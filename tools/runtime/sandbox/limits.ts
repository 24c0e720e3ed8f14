import { ToolError } from "../workerCall.js";
import type { SandboxLimits } from "./sandbox.js";

/** Default limits of a program. */
export const DEFAULT_LIMITS: SandboxLimits = {
  computeMs: 5_000,
  memoryMb: 64,
  resultChars: 1_000_000,
};

/**
 * A program exceeded a limit or broke a rule. Its function did not throw this, so an example cannot expect it
 * as an error.
 */
export class SandboxLimit extends ToolError {}
