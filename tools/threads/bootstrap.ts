import { createRequire } from "node:module";

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
