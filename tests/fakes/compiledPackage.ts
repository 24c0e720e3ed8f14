import {
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";

const COMPILED = ["errors.ts", "storage", "tools"];

/**
 * Compiles the sources of tools file by file, as the build does, into a folder that plain Node can run
 * scripts in.
 *
 * @param folder is made, with what has to be above it
 */
export function writeCompiledPackage(folder: string): void {
  for (const file of COMPILED.flatMap(sourceFiles)) {
    const { outputText } = ts.transpileModule(readFileSync(file, "utf8"), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const target = join(folder, file.replace(/\.ts$/, ".js"));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, outputText);
  }
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  symlinkSync(join(process.cwd(), "node_modules"), join(folder, "node_modules"));
}

function sourceFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(path, name));
}
