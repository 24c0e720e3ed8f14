import { register } from "node:module";
import { moduleExports } from "./exportPath.js";

let canLoadTypeScript = false;

/**
 * Imports a user's file into this process and returns its exports by name, also from TypeScript. What the file imports
 * is looked for beside it first, then where this package is, so that it finds `tulipgraph` wherever it stands.
 */
export async function importUserFile(file: string): Promise<Record<string, unknown>> {
  // In a checkout, tsx loads TypeScript already.
  if (!canLoadTypeScript && import.meta.url.endsWith(".js"))
    register(new URL("./typeScriptHooks.js", import.meta.url));
  canLoadTypeScript = true;
  return await moduleExports(file);
}
