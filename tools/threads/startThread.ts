import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * Starts a worker thread of ours. Compiled, its entry is plain JavaScript; in a checkout it is TypeScript,
 * which a thread has to be taught.
 *
 * @param entry the module as an import would name it: ".js" in a checkout, too
 */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  const settings = { ...options, execArgv: [] };
  if (existsSync(entry)) return new Worker(entry, settings);
  const source = new URL(entry.href.replace(/\.js$/, ".ts"));
  return new Worker(typeScriptBootstrap(source), { ...settings, eval: true });
}

/**
 * A worker thread's first lines, to be evaluated as its code: they make Node read TypeScript, in ES
 * modules and in CommonJS, which a thread does not get from the process. Then they import the entry.
 */
export function typeScriptBootstrap(entry: URL): string {
  const commonJs = createRequire(import.meta.url).resolve("tsx/cjs/api");
  // Not by `require`: the CommonJS build of this part looks for its loader in the wrong folder.
  const modules = import.meta.resolve("tsx/esm/api");
  return [
    `require(${JSON.stringify(commonJs)}).register();`,
    `import(${JSON.stringify(modules)})`,
    `.then(({ register }) => register())`,
    `.then(() => import(${JSON.stringify(entry.href)}));`,
  ].join("\n");
}
