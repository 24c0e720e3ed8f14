import { pathToFileURL } from "node:url";

/** Imports a user's file and gives its exports by name; a CommonJS file shows its on the default export. */
export async function moduleExports(file: string): Promise<Record<string, unknown>> {
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const inside = module.default;
  if (typeof inside !== "object" || inside === null) return module;
  return "__esModule" in inside || file.endsWith(".cjs") ? { ...inside } : module;
}
