import { existsSync, readdirSync } from "node:fs";
import { extname } from "node:path";
import { z } from "zod";
import { readDataFile } from "../../common/dataFile.js";
import type { LazyWorld, WorldDefinition } from "../calls/worlds/worlds.js";

/** The form of a catalog's `catalog.json`. */
const catalogForm = z.strictObject({
  /** What its tools are about, for people and for planning. */
  description: z.string(),
  /** Facts about its world that a model needs to know, line by line. */
  background: z
    .array(z.string())
    .transform((lines) => lines.join("\n"))
    .optional(),
  /** Requests that need no language model: the built-in rules solve them. */
  examples: z.array(z.string()).optional(),
});

/** A set of tools that ships with the project. */
export interface Catalog extends z.output<typeof catalogForm> {
  /** The file that exports its functions, relative to the package root. */
  file: string;
  /** The world that its tools act on, with sample data unless the user brings their own. */
  world?: LazyWorld;
}

/**
 * The catalogs by name; each becomes a library of that name at its first use. A folder beside this file is a catalog if
 * it has a `catalog.json`. Its `index.ts` exports the functions, and its optional `world.ts` exports a `shippedWorld`.
 */
export const CATALOGS = readCatalogs(new URL("./", import.meta.url));

export function readCatalogs(folder: URL): Readonly<Record<string, Catalog>> {
  const names = readdirSync(folder).filter((name) =>
    existsSync(new URL(`${name}/catalog.json`, folder)),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, catalogIn(folder, name)]));
}

function catalogIn(folder: URL, name: string): Catalog {
  const about = readDataFile(new URL(`${name}/catalog.json`, folder), catalogForm);
  const world = new URL(`${name}/world${extname(import.meta.url)}`, folder);
  return {
    ...about,
    file: `tools/catalogs/${name}/index.ts`,
    ...(existsSync(world) ? { world: { name, definition: () => shippedWorld(world) } } : {}),
  };
}

async function shippedWorld(file: URL): Promise<WorldDefinition> {
  const module = (await import(file.href)) as { shippedWorld: WorldDefinition };
  return module.shippedWorld;
}
