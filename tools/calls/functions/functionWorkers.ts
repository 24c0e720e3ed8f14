import { existsSync } from "node:fs";
import { fileStamp } from "./fileStamp.js";
import { type Slots, createGates } from "../engine/gate.js";
import { type ThreadCall, ToolError, type WorkerProcess } from "./workerProcess.js";

const SIZE = 4;

/** Default memory limit for the functions of one process, in megabytes. */
const MEMORY_MB = 512;

/** Runs functions from users' files in processes that can be killed. */
export interface FunctionWorkers extends Slots {
  /**
   * Runs a call in an idle process or a new one. A file that has changed since its import is imported again,
   * with all its imports.
   * @returns the result as JSON text; undefined if there is none
   * @throws ToolError, ThreadLost, or the signal's reason
   */
  run(call: ThreadCall): Promise<string | undefined>;
  /** Ends all processes; no call may follow. */
  close(): Promise<void>;
}

interface LoadedWorker {
  worker: WorkerProcess;
  stamps: Map<string, string>;
}

/** Opens a pool. Processes start on demand. */
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
      // Loaded for the first call, because many runs only use shipped tools.
      const { startWorkerProcess } = await import("./workerProcess.js");
      if (isClosed) throw new Error("the tool runtime is closed");
      const { file } = request.call;
      if (!existsSync(file)) {
        throw new ToolError(
          `the tool cannot be called, because ${file} with its function is gone; bring the file back, or remove the tool with: tulipgraph tools remove`,
        );
      }
      idle = withoutUseless(idle);
      const known = idle.find(({ stamps }) => stamps.has(file)) ?? idle.at(-1);
      const loaded = known ?? { worker: startWorkerProcess(memoryMb), stamps: new Map() };
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

/** Drops outdated processes: Node imports a file only once per process. */
function withoutUseless(workers: readonly LoadedWorker[]): LoadedWorker[] {
  const useful = workers.filter(
    ({ worker, stamps }) =>
      !worker.ended() && [...stamps].every(([file, stamp]) => fileStamp(file) === stamp),
  );
  for (const { worker } of workers.filter((each) => !useful.includes(each))) void worker.end();
  return useful;
}
