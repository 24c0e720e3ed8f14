import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

/** A page's script and style, each in one piece. */
export interface PageFiles {
  script: string;
  style: string;
  /** The files that they are made of, below the page's folder; none if they were built before. */
  inputs: string[];
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
    return { script: read("page.js"), style: read("page.css"), inputs: [] };
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
  return { script: text(".js"), style: text(".css"), inputs: Object.keys(metafile.inputs) };
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
