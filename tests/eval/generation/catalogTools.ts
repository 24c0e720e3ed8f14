import { resolve } from "node:path";
import { packageRoot } from "../../../storage/packageRoot.js";
import { CATALOGS } from "../../../tools/catalogs/index.js";
import { readSource } from "../../../tools/sources/index.js";
import type { ToolDefinition } from "../../../tools/tool.js";

/** The tools of a shipped catalog. */
export async function catalogTools(catalog: string): Promise<ToolDefinition[]> {
  const file = resolve(packageRoot(), CATALOGS[catalog]?.file ?? "");
  const { tools } = await readSource({ file, catalog });
  return tools;
}
