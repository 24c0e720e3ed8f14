import { fileStamp } from "./fileStamp.js";
import { createGates } from "./gate.js";
import type { ThreadCall } from "./workerCall.js";
import type { WorkerResult } from "./workerMessages.js";
import { type WorkerThread, startWorkerThread } from "./workerThread.js";

/** How many functions of users run at once, unless said otherwise. */
const SIZE = 4;

/** How much memory the functions of one thread may take, unless said otherwise, in megabytes. */
const MEMORY_MB = 512;

/** Runs functions of users' files in threads that can be ended. */
export interface FunctionWorkers {
  /**
   * Waits for one of the places and runs the body in it.
   * @param request.depth 0 for a call of the model, 1 for one that such a call makes, and so on: each
   * depth has places of its own, so that a call never waits for the place of its caller
   */
  enter<T>(request: { depth: number; signal: AbortSignal; body: () => Promise<T> }): Promise<T>;
  /**
   * Runs a call in an idle thread, or in a new one. A file that has changed since a thread imported
   * it is imported anew, with all that it imports.
   * @throws ToolError, ThreadLost, or the signal's reason
   */
  run(call: ThreadCall): Promise<WorkerResult>;
  /** Ends all threads; no call may follow. */
  close(): Promise<void>;
}

/** A thread and the stamps of the files that it has imported. */
interface LoadedThread {
  thread: WorkerThread;
  stamps: Map<string, string>;
}

/** Opens a pool. Threads start when they are first needed. */
export function openFunctionWorkers({
  size = SIZE,
  memoryMb = MEMORY_MB,
}: { size?: number; memoryMb?: number } = {}): FunctionWorkers {
  const gates = createGates(size);
  const threads = new Set<LoadedThread>();
  const idle: LoadedThread[] = [];
  let isClosed = false;

  const take = (file: string, stamp: string): LoadedThread => {
    if (isClosed) throw new Error("the tool runtime is closed");
    const fits = ({ stamps }: LoadedThread) => (stamps.get(file) ?? stamp) === stamp;
    const byUse = idle
      .splice(0)
      .filter(({ thread }) => !thread.ended())
      .toSorted((a, b) => Number(b.stamps.has(file)) - Number(a.stamps.has(file)));
    const found = byUse.find(fits);
    idle.push(...byUse.filter((loaded) => loaded !== found));
    if (found !== undefined) return found;
    const started = { thread: startWorkerThread({ memoryMb }), stamps: new Map<string, string>() };
    threads.add(started);
    return started;
  };
  const giveBack = (loaded: LoadedThread) => {
    idle.push(loaded);
    // The oldest goes first: it is the likeliest to have imported what has changed since.
    const surplus = idle.splice(0, Math.max(0, idle.length - size));
    for (const { thread } of surplus) void thread.end();
    for (const each of threads) if (each.thread.ended()) threads.delete(each);
  };
  return {
    enter: ({ depth, ...request }) => gates.enter({ key: String(depth), ...request }),
    async run(request) {
      const { file } = request.call;
      const stamp = fileStamp(file);
      const loaded = take(file, stamp);
      loaded.stamps.set(file, stamp);
      try {
        return await loaded.thread.run(request);
      } finally {
        giveBack(loaded);
      }
    },
    async close() {
      isClosed = true;
      idle.length = 0;
      await Promise.all([...threads].map(({ thread }) => thread.end()));
    },
  };
}
