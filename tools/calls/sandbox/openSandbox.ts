import { openPool } from "../workers/pool.js";
import type { ProgramCall, SandboxLimits } from "../functions/workerMessages.js";
import { startWorkerProcess } from "../functions/workerProcess.js";
import { limitError, DEFAULT_LIMITS, type SandboxCall } from "./sandbox.js";

/** How many programs run at once per depth by default. */
const SIZE = 2;

/** Memory of a process besides that of a program, in megabytes. */
const OWN_MB = 256;

/**
 * Runs functions written by models, without files, network, process, timers or objects of the host, and with
 * nothing left from one call to the next.
 */
export type Sandbox = ReturnType<typeof openSandbox>;

/**
 * Opens a sandbox: QuickJS compiled to WebAssembly, in processes that can be killed. They start on demand.
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
}: { size?: number; limits?: Partial<SandboxLimits> } = {}) {
  const limits = { ...DEFAULT_LIMITS, ...given };
  // Without this process's environment, so that a program that escaped its engine would find nothing to read.
  const start = () => startWorkerProcess(limits.memoryMb + OWN_MB, {});
  const pool = openPool({ name: "the sandbox", size, start });
  return {
    ...pool,
    /**
     * @returns the result as JSON text; undefined if there is none
     * @throws ToolError with one line for the model: what the function threw, or which limit it exceeded; the
     * signal's reason if aborted
     */
    async run(request: SandboxCall) {
      const { signal, onStarted, callTool = noTools } = request;
      signal.throwIfAborted();
      const call = programOf(request, limits);
      const onReady = async () => onStarted?.();
      return await pool.use((worker) => worker.run({ call, signal, onReady, callTool }));
    },
  };
}

async function noTools(): Promise<never> {
  throw new Error("no tools can be called from here");
}

/** @throws SandboxLimit when it is too long to pass on */
function programOf(call: SandboxCall, limits: SandboxLimits): ProgramCall {
  const { program, functionName } = call;
  // JSON has no `undefined`, which makes a parameter take its default: its places are listed.
  const absent = call.args.flatMap((value, index) => (value === undefined ? [index] : []));
  const args = JSON.stringify({ values: call.args, absent });
  if (Math.max(program.length, args.length) <= limits.resultChars)
    return { program, functionName, args, limits };
  const text = `it or its arguments have more than ${limits.resultChars} characters`;
  throw limitError("program", limits, text);
}
