import { existsSync } from "node:fs";
import { fileStamp } from "./fileStamp.js";
import { createGates } from "./gate.js";
import { type ThreadCall, ToolError } from "./workerCall.js";
import type { WorkerResult } from "./workerMessages.js";
import { type WorkerProcess, startWorkerProcess } from "./workerProcess.js";

/** How many functions of users run at once, unless said otherwise. */
const SIZE = 4;

/** How much memory the functions of one process may take, unless said otherwise, in megabytes. */
const MEMORY_MB = 512;

/** Runs functions of users' files in processes that can be ended. */
export interface FunctionWorkers {
  /**
   * Waits for one of the places and runs the body in it.
   * @param request.depth 0 for a call of the model, 1 for one that such a call makes, and so on: each
   * depth has places of its own, so that a call never waits for the place of its caller
   */
  enter<T>(request: { depth: number; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
  /**
   * Runs a call in an idle process, or in a new one. A file that has changed since it was imported is
   * imported anew, with all that it imports.
   * @throws ToolError, ThreadLost, or the signal's reason
   */
  run(call: ThreadCall): Promise<WorkerResult>;
  /** Ends all processes; no call may follow. */
  close(): Promise<void>;
}

/** A process and the stamps of the files that it has imported. */
interface LoadedWorker {
  worker: WorkerProcess;
  stamps: Map<string, string>;
}

/** Opens a pool. Processes start when they are first needed. */
export function openFunctionWorkers({
  size = SIZE,
  memoryMb = MEMORY_MB,
}: { size?: number; memoryMb?: number } = {}): FunctionWorkers {
  const gates = createGates(size);
  const busy = new Set<LoadedWorker>();
  let idle: LoadedWorker[] = [];
  let isClosed = false;
  return {
    enter: ({ depth, ...request }) => gates.enter({ key: String(depth), ...request }),
    async run(request) {
      if (isClosed) throw new Error("the tool runtime is closed");
      const { file } = request.call;
      if (!existsSync(file)) throw new ToolError(goneText(file));
      idle = withoutUseless(idle);
      const known = idle.find(({ stamps }) => stamps.has(file)) ?? idle.at(-1);
      const loaded = known ?? { worker: startWorkerProcess({ memoryMb }), stamps: new Map() };
      idle = idle.filter((each) => each !== known);
      busy.add(loaded);
      loaded.stamps.set(file, fileStamp(file));
      try {
        return await loaded.worker.run(request);
      } finally {
        busy.delete(loaded);
        idle.push(loaded);
        for (const { worker } of idle.splice(0, idle.length - size)) void worker.end();
      }
    },
    async close() {
      isClosed = true;
      await Promise.all([...idle, ...busy].map(({ worker }) => worker.end()));
    },
  };
}

/** What Node would say names the module and its importer, of which nobody has heard. */
function goneText(file: string): string {
  return `the tool cannot be called, for ${file} with its function is gone; bring the file back, or remove the tool with: tulipgraph tools remove`;
}

/** Node imports a file once in each process: after a change only a new one imports it again. */
function withoutUseless(workers: readonly LoadedWorker[]): LoadedWorker[] {
  const useful = workers.filter(
    ({ worker, stamps }) =>
      !worker.ended() && [...stamps].every(([file, stamp]) => fileStamp(file) === stamp),
  );
  for (const { worker } of workers.filter((each) => !useful.includes(each))) void worker.end();
  return useful;
}
