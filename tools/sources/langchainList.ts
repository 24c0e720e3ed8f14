import { createRequire } from "node:module";
import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";

/** One export of a module that is a LangChain tool, as plain data. */
export type ListedExport = {
  exportName: string;
  name: string;
  description: string;
  metadata: Record<string, unknown>;
} & ({ schema: unknown } | { schemaProblem: string });

/** What the worker answers. */
export type Listing = { exports: ListedExport[] } | { failure: string };

/**
 * Imports a module in a worker thread and lists its LangChain tools. A module that does not end its
 * import in time, ends the process or fails costs the worker and gives a `failure` in words.
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
  const worker = new Worker(bootstrap(), {
    eval: true,
    workerData: { file },
    execArgv: [],
    stdout: true,
  });
  // What the module prints must not stand among the results that the host prints.
  worker.stdout.pipe(process.stderr, { end: false });
  try {
    return await firstAnswer({ worker, timeoutMs });
  } finally {
    await worker.terminate();
  }
}

async function firstAnswer({
  worker,
  timeoutMs,
}: {
  worker: Worker;
  timeoutMs: number;
}): Promise<Listing> {
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

/**
 * The thread's first lines make Node read TypeScript, in ES modules and in CommonJS; a thread does
 * not get this from the process. The entry lies beside this file, as source or compiled.
 */
function bootstrap(): string {
  const commonJs = createRequire(import.meta.url).resolve("tsx/cjs/api");
  // Not by `require`: the CommonJS build of this part looks for its loader in the wrong folder.
  const modules = import.meta.resolve("tsx/esm/api");
  const extension = extname(fileURLToPath(import.meta.url));
  const entry = new URL(`./langchainWorker${extension}`, import.meta.url);
  return `
    require(${JSON.stringify(commonJs)}).register();
    import(${JSON.stringify(modules)})
      .then(({ register }) => register())
      .then(() => import(${JSON.stringify(entry.href)}));
  `;
}
