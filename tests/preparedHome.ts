import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync } from "node:fs";
import { extname, join, resolve } from "node:path";
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

/** What a library is made by. */
const MADE_BY =
  "common home models/embeddings state storage tools/catalogs tools/library tools/sources".split(
    " ",
  );

/** Global set-up: reads and embeds the shipped catalogs once for each state of what makes them, not in each home. */
export default async function prepareHome(project: TestProject): Promise<void> {
  const folder = join(ROOT, "node_modules", ".cache", "tulipgraph-homes");
  const home = join(folder, hashOfMakers());
  if (!existsSync(home)) {
    mkdirSync(folder, { recursive: true });
    const draft = mkdtempSync(join(folder, "draft-"));
    await makeLibraries(draft);
    renameSync(draft, home);
  }
  project.provide("preparedHome", home);
}

/** The same in each checkout with these files. */
function hashOfMakers(): string {
  const hash = createHash("sha256").update(readFileSync(import.meta.filename));
  for (const room of MADE_BY.map((name) => join(ROOT, name))) {
    const names = readdirSync(room, { recursive: true, encoding: "utf8" }).filter(extname);
    for (const name of names.toSorted()) hash.update(name).update(readFileSync(join(room, name)));
  }
  return hash.digest("hex").slice(0, 16);
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
