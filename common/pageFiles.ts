import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** A page's script and style, each in one piece. */
export interface PageFiles {
  script: string;
  style: string;
  /** Folders of the packages that are part of them; none if they were built before. */
  packages: string[];
}

/**
 * The files of a page. The build makes them of the page's modules and puts them beside its HTML; in a checkout they are
 * made when the page is first requested.
 *
 * @param folder the page's, whose first module is `main.tsx`
 */
export async function pageFiles(folder: URL): Promise<PageFiles> {
  const built = (name: string) => new URL(name, folder);
  const read = (name: string) => readFileSync(built(name), "utf8");
  if (existsSync(built("page.js")))
    return { script: read("page.js"), style: read("page.css"), packages: [] };
  const { build } = await import("esbuild");
  const { outputFiles, metafile } = await build({
    absWorkingDir: fileURLToPath(folder),
    entryPoints: ["main.tsx"],
    bundle: true,
    write: false,
    metafile: true,
    outdir: "page",
    format: "iife",
    target: "es2022",
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"production"' },
    minify: true,
    charset: "ascii",
    legalComments: "none",
    plugins: [withoutRunnables],
    logLevel: "silent",
  });
  const text = (ending: string) =>
    outputFiles.find(({ path }) => path.endsWith(ending))?.text ?? "";
  return {
    script: text(".js"),
    style: text(".css"),
    packages: packagesIn(metafile.inputs, folder),
  };
}

/**
 * LangChain's messages can be filtered and trimmed by runnables, which bring tracing along: a third of the script, and
 * nothing that a page does.
 */
const withoutRunnables: Plugin = {
  name: "without-runnables",
  setup: (build) => {
    const namespace = "without";
    build.onResolve({ filter: /^\.\/transformers\.js$/ }, ({ path, importer }) =>
      importer.includes("@langchain/core") ? { path, namespace } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace }, () => ({ contents: "module.exports = {};" }));
  },
};

function packagesIn(inputs: object, folder: URL): string[] {
  const found = Object.keys(inputs).flatMap(
    (path) => /^.*?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [],
  );
  return [...new Set(found)].toSorted().map((path) => fileURLToPath(new URL(path, folder)));
}
