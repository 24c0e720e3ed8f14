import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** A home in which the shipped catalogs are libraries. */
    preparedHome: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");

const COMPILED = join(ROOT, "dist");

/** Global set-up: reads and embeds the shipped catalogs once for each state of the sources, not in each home. */
export default async function prepareHome(project: TestProject): Promise<void> {
  const folder = join(ROOT, "node_modules", ".cache", "tulipgraph-homes");
  const made = createHash("sha256");
  for (const file of [join(COMPILED, ".stamp"), import.meta.filename])
    made.update(readFileSync(file));
  const home = join(folder, made.digest("hex").slice(0, 16));
  if (!existsSync(home)) {
    mkdirSync(folder, { recursive: true });
    const draft = mkdtempSync(join(folder, "draft-"));
    await makeLibraries(draft);
    renameSync(draft, home);
  }
  project.provide("preparedHome", home);
}

async function makeLibraries(home: string): Promise<void> {
  const { openWorkspace } =
    await compiled<typeof import("../home/workspace.js")>("home/workspace.js");
  const { CATALOGS } =
    await compiled<typeof import("../tools/catalogs/index.js")>("tools/catalogs/index.js");
  const { parseSettings } =
    await compiled<typeof import("../state/settings.js")>("state/settings.js");
  const workspace = openWorkspace({ home });
  for (const name of Object.keys(CATALOGS)) {
    const library = await workspace.library(parseSettings({ library: name }));
    // The first search embeds the tools.
    await library.search({ phrases: [name], topK: 1 });
  }
  await workspace.close();
}

async function compiled<Module>(file: string): Promise<Module> {
  return (await import(pathToFileURL(join(COMPILED, file)).href)) as Module;
}
