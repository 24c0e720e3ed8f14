import { type Engine, newEngine } from "./engine.js";
import { type Guest, loadGuest } from "./guestFunctions.js";
import type { SandboxLimits } from "./sandbox.js";

/** An engine with the guest in it, ready for a program. */
export interface PreparedEngine extends Engine {
  guest: Guest;
}

/** The next call's engine, if there was time to prepare it. */
let ahead: { limits: SandboxLimits; engine: Promise<PreparedEngine> } | undefined;

/** Whether a call is running: engines take turns with the memory. */
let isTaken = false;

/** The prepared engine, or a new one. */
export async function takeEngine(limits: SandboxLimits): Promise<PreparedEngine> {
  isTaken = true;
  const taken = ahead;
  ahead = undefined;
  // Even an unsuitable engine must be ready before another gets its memory.
  const engine = await taken?.engine;
  const fits =
    taken?.limits.memoryMb === limits.memoryMb && taken.limits.resultChars === limits.resultChars;
  return engine !== undefined && fits ? engine : await prepare(limits);
}

/** Ends a call: its engine is gone, and the next is prepared unless someone is already waiting for one. */
export function releaseEngine(limits: SandboxLimits): void {
  isTaken = false;
  setImmediate(() => {
    if (isTaken || ahead !== undefined) return;
    const engine = prepare(limits);
    // Whoever takes the engine gets the error.
    engine.catch(() => undefined);
    ahead = { limits, engine };
  });
}

async function prepare({ memoryMb, resultChars }: SandboxLimits): Promise<PreparedEngine> {
  const engine = await newEngine({ memoryMb });
  return { ...engine, guest: loadGuest({ context: engine.context, resultChars }) };
}
