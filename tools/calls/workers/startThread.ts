import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** Megabytes for new objects of a thread; V8 would take 48, and is no faster for it. */
const YOUNG_MB = 12;

/**
 * Starts a worker thread. Its entry is JavaScript when compiled, but TypeScript in a checkout, which the thread must
 * first learn to load.
 *
 * @param entry the module as in an import: ".js" also in a checkout
 */
export function startThread(entry: URL, options: WorkerOptions = {}): Worker {
  const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB, ...options.resourceLimits };
  const settings = { ...options, resourceLimits, execArgv: [] };
  if (existsSync(entry)) return new Worker(entry, settings);
  const source = new URL(entry.href.replace(/\.js$/, ".ts"));
  return new Worker(typeScriptBootstrap(source), { ...settings, eval: true });
}

/**
 * Code for a thread or process that makes Node load TypeScript as ES modules and as CommonJS (a thread does not inherit
 * this from the process) and then imports the entry. In a checkout, tsx does that, because the loader is TypeScript itself.
 */
export function typeScriptBootstrap(entry: URL): string {
  if (import.meta.url.endsWith(".js")) {
    const hooks = new URL("./typeScriptHooks.js", import.meta.url).href;
    return [
      "process.setSourceMapsEnabled(true);",
      `require("node:module").register(${JSON.stringify(hooks)});`,
      `import(${JSON.stringify(entry.href)});`,
    ].join("\n");
  }
  const commonJs = createRequire(import.meta.url).resolve("tsx/cjs/api");
  // Not `require`: the CommonJS build of this part looks for its loader in the wrong folder.
  const modules = import.meta.resolve("tsx/esm/api");
  return [
    `require(${JSON.stringify(commonJs)}).register();`,
    `import(${JSON.stringify(modules)})`,
    `.then(({ register }) => register())`,
    `.then(() => import(${JSON.stringify(entry.href)}));`,
  ].join("\n");
}
