import { readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildSync } from "esbuild";

const COMPILED = ["common", "plans", "storage", "tools"];

/**
 * Compiles the sources of tools file by file, as the build does, into a folder that plain Node can run
 * scripts in.
 *
 * @param folder is made, with what has to be above it
 */
export function writeCompiledPackage(folder: string): void {
  buildSync({
    entryPoints: COMPILED.flatMap(sourceFiles),
    outdir: folder,
    outbase: ".",
    format: "esm",
    platform: "node",
    target: "node20",
  });
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
}

function sourceFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}
