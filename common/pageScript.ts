import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * The script of a page in one piece. The build makes it of the page's modules and puts it beside the first of them; in a
 * checkout it is made when the page is written or first requested.
 *
 * @param entry its first module
 */
export async function pageScript(entry: URL): Promise<string> {
  const built = new URL("./page.js", entry);
  if (existsSync(built)) return readFileSync(built, "utf8");
  const { build } = await import("esbuild");
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
