import { resolve } from "node:path";
import { packageRoot } from "../../storage/packageRoot.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { readSource } from "../../tools/sources/index.js";
import type { ToolDefinition } from "../../tools/tool.js";

/** The tools of a catalog, read from its source; none if there is no such catalog. */
export async function catalogTools(catalog: string): Promise<ToolDefinition[]> {
  const entry = CATALOGS[catalog];
  if (!entry) return [];
  const { tools } = await readSource({ file: resolve(packageRoot(), entry.file), catalog });
  return tools;
}
