import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";

/**
 * Has the TypeScript compiler ready for whoever requires it in this thread, made of what V8 has compiled of its nine
 * megabytes in an earlier process: that takes a third of the time. Node 22.8 and newer do the same for all modules.
 *
 * @returns keeps what V8 has compiled by then, unless that was there
 */
export function readyCompiler(): () => void {
  const require = createRequire(import.meta.url);
  const file = require.resolve("typescript");
  // Beside the packages, as other tools keep what they make of them: whoever can write there can change these, too.
  const folder = join(dirname(file), "..", "..", ".cache", "tulipgraph");
  const { version } = require("typescript/package.json") as { version: string };
  const kept = join(folder, `typescript-${version}-${process.version}-${process.arch}.code`);
  const cachedData = bytesOf(kept);
  const script = new Script(Module.wrap(readFileSync(file, "utf8")), {
    filename: file,
    cachedData,
  });
  const compiler = Object.assign(new Module(file), { filename: file, loaded: true });
  const run = script.runInThisContext() as (...given: unknown[]) => void;
  run(compiler.exports, createRequire(file), compiler, file, dirname(file));
  require.cache[file] = compiler;
  if (cachedData && !script.cachedDataRejected) return () => undefined;
  return () => {
    try {
      mkdirSync(folder, { recursive: true });
      const draft = `${kept}.${process.pid}`;
      writeFileSync(draft, script.createCachedData());
      renameSync(draft, kept);
    } catch {
      // Packages may be there only to be read.
    }
  };
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
