import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The script of the page, in one piece. Its sources are modules like any others, checked by the
 * same rules, and are put together when a report is written: the file beside this one is
 * TypeScript in a checkout and JavaScript in the built package, and esbuild reads both.
 */
export async function pageScript(): Promise<string> {
  const entry = new URL(`./client/main${extname(import.meta.url)}`, import.meta.url);
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
