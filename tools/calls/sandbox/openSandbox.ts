import { openPool } from "../workers/pool.js";
import {
  failureOf,
  limitError,
  type ProgramCall,
  DEFAULT_LIMITS,
  type Sandbox,
  type SandboxCall,
  type SandboxLimits,
} from "./sandbox.js";
import { startSandboxThread } from "./sandboxThread.js";

/** How many programs run at once per depth by default. */
const SIZE = 2;

/**
 * Opens a sandbox: QuickJS compiled to WebAssembly, in threads that can be killed. Threads start on demand.
 * Each call has its own engine with empty memory, which is dropped afterwards.
 *
 * The engine's `Date` and `Math.random` work as usual but are not objects of the host. `eval` and `Function`
 * run code in the same engine under the same limits.
 *
 * @param options.limits limits of each program; see {@link DEFAULT_LIMITS}
 */
export function openSandbox({
  size = SIZE,
  limits: given,
}: { size?: number; limits?: Partial<SandboxLimits> } = {}): Sandbox {
  const limits = { ...DEFAULT_LIMITS, ...given };
  const pool = openPool({ name: "the sandbox", size, start: startSandboxThread });
  return {
    ...pool,
    async run(call) {
      const { signal, onStarted, callTool } = call;
      signal.throwIfAborted();
      const request = requestOf(call, limits);
      const end = await pool.use((thread) => thread.run({ request, signal, onStarted, callTool }));
      if (end.type === "failed") throw failureOf(end, request);
      return end.json;
    },
  };
}

/** @throws SandboxLimit when it is too long to pass on */
function requestOf(call: SandboxCall, limits: SandboxLimits): ProgramCall {
  const { program, functionName } = call;
  // JSON has no `undefined`, which makes a parameter take its default: its places are listed.
  const absent = call.args.flatMap((value, index) => (value === undefined ? [index] : []));
  const args = JSON.stringify({ values: call.args, absent });
  if (Math.max(program.length, args.length) <= limits.resultChars)
    return { program, functionName, args, limits };
  const text = `it or its arguments have more than ${limits.resultChars} characters`;
  throw limitError("program", limits, text);
}
