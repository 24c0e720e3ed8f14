import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The script of a page in one piece. Its sources are modules like all others, bundled when the page is written or first
 * requested: from TypeScript in a checkout, and from JavaScript in the built package.
 *
 * @param entry its first module
 */
export async function pageScript(entry: URL): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2020",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}
