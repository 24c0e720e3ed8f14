import { existsSync } from "node:fs";
import { fileStamp } from "./fileStamp.js";
import { openPool } from "../workers/pool.js";
import { type FunctionCall, ToolError } from "./workerMessages.js";
import {
  MEMORY_MB,
  type ThreadCall,
  type WorkerProcess,
  startWorkerProcess,
} from "./workerProcess.js";

const SIZE = 4;

/** Runs functions from users' files in processes that can be killed. */
export type FunctionWorkers = ReturnType<typeof openFunctionWorkers>;

interface LoadedWorker extends WorkerProcess {
  stamps: Map<string, string>;
}

/** Opens a pool. Processes start on demand. */
export function openFunctionWorkers({
  size = SIZE,
  memoryMb = MEMORY_MB,
}: { size?: number; memoryMb?: number } = {}) {
  const pool = openPool<LoadedWorker>({
    name: "the tool runtime",
    size,
    start: () => ({ ...startWorkerProcess(memoryMb), stamps: new Map() }),
    // Node imports a file only once per process.
    isUseful: ({ stamps }) => [...stamps].every(([file, stamp]) => fileStamp(file) === stamp),
  });
  return {
    ...pool,
    /**
     * Runs a call in an idle process or a new one. A file that has changed since its import is imported again,
     * with all its imports.
     *
     * @returns the result as JSON text; undefined if there is none
     * @throws ToolError, ThreadLost, or the signal's reason
     */
    async run(request: ThreadCall & { call: FunctionCall }) {
      const { file } = request.call;
      if (!existsSync(file)) {
        throw new ToolError(
          `the tool cannot be called, because ${file} with its function is gone; bring the file back, or remove the tool with: tulipgraph tools remove`,
        );
      }
      return await pool.use(
        (worker) => {
          worker.stamps.set(file, fileStamp(file));
          return worker.run(request);
        },
        ({ stamps }) => stamps.has(file),
      );
    },
  };
}
