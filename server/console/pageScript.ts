import { extname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/**
 * The script of the page, in one piece, put together when it is first asked for: its sources are modules like any
 * others, TypeScript in a checkout and JavaScript in the built package.
 */
export async function pageScript(): Promise<string> {
  const entry = new URL(`./client/main${extname(import.meta.url)}`, import.meta.url);
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(entry)],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    minify: true,
    charset: "ascii",
    legalComments: "none",
    logLevel: "silent",
  });
  return outputFiles.map(({ text }) => text).join("");
}
