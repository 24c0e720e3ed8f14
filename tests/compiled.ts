import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Plugin as BuildPlugin, build } from "esbuild";
import type { Plugin } from "vite";
import type { TestProject } from "vitest/node";
import { buildStep } from "../scripts/setup/build.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The folder with the compiled programs of the tests. */
    programs: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");

/** What tests start in processes of their own. */
const PROGRAMS = [
  "tests/fakes/commandLine.ts",
  "tests/fixtures/runtime/runOnce.ts",
  "tests/memory/addInChild.ts",
  "tests/storage/artefactInChild.ts",
  "tests/storage/openInChild.ts",
  "tests/storage/useInChild.ts",
  "tests/storage/upgradeInChild.ts",
  "tests/storage/writeInChild.ts",
  "tests/tools/library/editInChild.ts",
  "tests/tools/library/libraryInChild.ts",
  "tests/tools/sources/mcp/conformanceClient.ts",
];

/** Where the compiled sources are. */
export const COMPILED = join(ROOT, "dist");

/** Global set-up: compiles the sources, and the programs that tests start in processes of their own. */
export default async function compileOnce(project: TestProject): Promise<() => void> {
  const folder = programsFolder();
  const compile = async () => {
    await compileSources();
    await compilePrograms(folder);
  };
  await compile();
  project.provide("programs", folder);
  project.onTestsRerun(compile);
  return () => rmSync(folder, { recursive: true, force: true });
}

/**
 * Has tests import compiled sources, which Node loads once a process. That takes half the time, and is what users run;
 * what the build leaves out, or makes one with others, stays as it is.
 */
export function importCompiled(): Plugin {
  return {
    name: "import-compiled",
    enforce: "pre",
    resolveId(path, importer) {
      if (!importer || !/^\..*\.js$/.test(path)) return undefined;
      const compiled = compiledFile(relative(ROOT, resolve(dirname(importer), path)));
      return existsSync(compiled) ? compiled : undefined;
    },
  };
}

/** Where packages are found from, and nothing else looks; each run of the tests has one of its own. */
function programsFolder(): string {
  const parent = join(ROOT, "node_modules", ".cache");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, "tulipgraph-tests-"));
}

async function compileSources(): Promise<void> {
  if (!buildStep.isDone({ root: ROOT })) await buildStep.work({ root: ROOT });
}

async function compilePrograms(folder: string): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outbase: ROOT,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.12",
    packages: "external",
    plugins: [compiledSources],
    logLevel: "silent",
  });
}

/** What a program imports of the sources is imported compiled; what it imports of the tests is part of it. */
const compiledSources: BuildPlugin = {
  name: "compiled-sources",
  setup(building) {
    building.onResolve({ filter: /^\.\.?\// }, ({ path, importer, resolveDir, kind }) => {
      if (kind === "entry-point" || !importer) return undefined;
      const source = relative(ROOT, resolve(resolveDir || dirname(importer), path));
      return source.startsWith("tests/")
        ? undefined
        : { path: compiledUrl(source), external: true };
    });
  },
};

/** @param source as a source is imported or as its file is named, below the project */
function compiledUrl(source: string): string {
  return pathToFileURL(compiledFile(source)).href;
}

function compiledFile(source: string): string {
  return join(COMPILED, source.replace(/\.ts$/, ".js"));
}
