import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
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

/** The modules that name the entry of a thread or of a process of ours, or a module that a thread is to load. */
const STARTERS = [
  "models/embeddings/encoder.ts",
  "models/embeddings/transformers.ts",
  "tools/calls/compiler/compilerThread.ts",
  "tools/calls/compiler/programs.ts",
  "tools/sources/index.ts",
  "tools/sources/made/checkedDraft.ts",
  "tools/calls/sandbox/sandboxThread.ts",
  "tools/calls/functions/workerProcess.ts",
  "tools/sources/langChainTools.ts",
];

/**
 * Global set-up: processes and threads that tests start run compiled code, as those of users do. One that
 * has to learn TypeScript first takes more than twice the time to start, and the tests start hundreds.
 */
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

/** Has the modules that start threads and processes name the compiled entries. */
export function compiledEntries(): Plugin {
  return {
    name: "compiled-entries",
    enforce: "pre",
    transform(code, id) {
      const path = relative(ROOT, id);
      if (!STARTERS.includes(path)) return undefined;
      const url = JSON.stringify(compiledUrl(path));
      return { code: code.replaceAll("import.meta.url", url), map: null };
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
  return pathToFileURL(join(ROOT, "dist", source.replace(/\.ts$/, ".js"))).href;
}
