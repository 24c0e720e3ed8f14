import { createGates } from "../engine/gate.js";
import {
  failureOf,
  limitError,
  type ProgramCall,
  DEFAULT_LIMITS,
  type Sandbox,
  type SandboxCall,
  type SandboxLimits,
} from "./sandbox.js";
import type { SandboxThread } from "./sandboxThread.js";

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
  const gates = createGates(size);
  const busy = new Set<SandboxThread>();
  let idle: SandboxThread[] = [];
  let isClosed = false;
  return {
    enter: ({ depth, ...request }) => gates.enter({ key: String(depth), ...request }),
    async run(call) {
      // Loaded for the first program, because most runs have none.
      const { startSandboxThread } = await import("./sandboxThread.js");
      if (isClosed) throw new Error("the sandbox is closed");
      call.signal.throwIfAborted();
      const request = requestOf(call, limits);
      idle = idle.filter((thread) => !thread.ended());
      const thread = idle.pop() ?? startSandboxThread();
      busy.add(thread);
      try {
        const { signal, onStarted, callTool } = call;
        const end = await thread.run({ request, signal, onStarted, callTool });
        if (end.type === "failed") throw failureOf(end, request);
        return end.json;
      } finally {
        busy.delete(thread);
        idle.push(thread);
        for (const surplus of idle.splice(0, idle.length - size)) void surplus.end();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...idle, ...busy].map((thread) => thread.end()));
    },
  };
}

/** @throws SandboxLimit when it is too long to pass on */
function requestOf(call: SandboxCall, limits: SandboxLimits): ProgramCall {
  const { program, functionName } = call;
  // JSON has neither `undefined`, which makes a parameter take its default, nor dates: both are listed by their places.
  const absent = call.args.flatMap((value, index) => (value === undefined ? [index] : []));
  const args = JSON.stringify({ values: call.args, absent, dates: datePlaces(call.args) });
  if (Math.max(program.length, args.length) <= limits.resultChars)
    return { program, functionName, args, limits };
  const text = `it or its arguments have more than ${limits.resultChars} characters`;
  throw limitError("program", limits, text);
}

/** Where dates are in a value, however deep. */
function datePlaces(value: unknown): (string | number)[][] {
  if (value instanceof Date) return [[]];
  if (typeof value !== "object" || value === null) return [];
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  return entries.flatMap(([step, inner]) => datePlaces(inner).map((place) => [step, ...place]));
}
