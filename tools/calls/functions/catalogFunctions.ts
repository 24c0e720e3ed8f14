import { extname } from "node:path";
import { UnknownName } from "../../../common/errors.js";

type CatalogFunction = (...args: unknown[]) => unknown;

/** The shipped catalogs, next to the runtime in the sources and in the build. */
const CATALOGS = new URL("../../catalogs/", import.meta.url);

/**
 * Imports a function of a catalog. Such functions run in this process, because they ship with the project and
 * bound their own work.
 *
 * @param catalogs folder with one folder per catalog
 * @throws UnknownName when the catalog does not export the function
 */
export async function loadCatalogFunction(
  catalog: string,
  exportName: string,
  catalogs?: URL,
): Promise<CatalogFunction> {
  const functions = await catalogFunctions(catalog, catalogs);
  const found = functions.get(exportName);
  if (found !== undefined) return found;
  const kind = `function of the catalog "${catalog}"`;
  throw new UnknownName({ kind, wanted: exportName, available: [...functions.keys()] });
}

/** All functions of a catalog by the names of their exports. */
export async function catalogFunctions(
  catalog: string,
  catalogs = CATALOGS,
): Promise<Map<string, CatalogFunction>> {
  const extension = extname(new URL(import.meta.url).pathname);
  const file = new URL(`${encodeURIComponent(catalog)}/index${extension}`, catalogs);
  const module = (await import(file.href)) as Record<string, unknown>;
  const entries = Object.entries(module).filter(([, value]) => typeof value === "function");
  return new Map(entries as [string, CatalogFunction][]);
}
