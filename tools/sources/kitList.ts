import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import type { Kit } from "../threads/kitTool.js";
import { typeScriptBootstrap } from "../threads/startThread.js";

/** One tool of a kit in a module's exports, as plain data. */
export interface ListedTool {
  /** Where it is in the exports (`tools/threads/exportPath.ts`). */
  path: string;
  kit: Kit;
  /** Its own name, else its key. */
  name: string;
  description: string;
  /** JSON Schema of its arguments. */
  schema?: unknown;
  /** JSON Schema of its result, if it states one. */
  returns?: unknown;
  settings: { place: string; values: Record<string, unknown> };
  /** Why it cannot be used. */
  problem?: string;
}

/** The worker's answer. */
export type Listing = { tools: ListedTool[] } | { failure: string };

/**
 * Imports a module in a worker thread and lists the tools of kits in its exports. A module that takes too long, exits
 * or fails costs only the worker; the answer is then a `failure` in words.
 *
 * @param options.file absolute path of the module
 */
export async function listInWorker({
  file,
  timeoutMs,
}: {
  file: string;
  timeoutMs: number;
}): Promise<Listing> {
  const extension = extname(new URL(import.meta.url).pathname);
  const worker = new Worker(
    typeScriptBootstrap(new URL(`./kitWorker${extension}`, import.meta.url)),
    { eval: true, workerData: { file }, execArgv: [] },
  );
  try {
    return await firstAnswer(worker, timeoutMs);
  } finally {
    await worker.terminate();
  }
}

async function firstAnswer(worker: Worker, timeoutMs: number): Promise<Listing> {
  return await new Promise((resolve) => {
    const fail = (failure: string): void => resolve({ failure });
    const timer = setTimeout(
      () => fail(`importing the module did not end within ${timeoutMs / 1000} s`),
      timeoutMs,
    );
    worker.once("message", (listing: Listing) => resolve(listing));
    worker.once("error", (error) => fail(oneLine(error)));
    worker.once("exit", (code) => {
      clearTimeout(timer);
      fail(`the module ended its process (exit code ${code}) while it was imported`);
    });
  });
}

/** An error's message without the lines that show code. */
export function oneLine(error: unknown): string {
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return text.split("\n", 1)[0] ?? text;
}
