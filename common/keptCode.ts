import { isAscii } from "node:buffer";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Script } from "node:vm";
import { threadId } from "node:worker_threads";

/**
 * Makes a script of what V8 has compiled of it in an earlier process, which takes a third of the time. Node 22.8 and newer
 * do so for modules. NODE_DISABLE_COMPILE_CACHE=1 turns it off.
 *
 * @param options.name of the file in which that is kept
 * @param options.version differs where the code does: V8 itself compares only lengths
 * @returns the script's value, and what keeps the compiled code, unless that was there
 */
export function keptScript(options: Record<"code" | "file" | "name" | "version", string>) {
  const { code, file, name, version } = options;
  const compiler = createRequire(import.meta.url).resolve("typescript/package.json");
  // Beside the packages, as other tools keep what they make of them: whoever can write there can change these, too.
  const folder = join(dirname(compiler), "..", ".cache", "tulipgraph");
  const kept = join(folder, `${name}-${process.version}-${process.arch}.code`);
  const head = Buffer.from(`${version}\n`);
  const isOff = Boolean(process.env["NODE_DISABLE_COMPILE_CACHE"]);
  const bytes = isOff ? undefined : bytesOf(kept);
  const isSame = bytes?.subarray(0, head.length).equals(head) === true;
  const cachedData = isSame ? bytes.subarray(head.length) : undefined;
  const script = new Script(code, { filename: file, cachedData });
  const value: unknown = script.runInThisContext();
  let isKept = isOff || (cachedData !== undefined && !script.cachedDataRejected);
  const keep = () => {
    if (isKept) return;
    isKept = true;
    try {
      mkdirSync(folder, { recursive: true });
      const draft = `${kept}.${process.pid}-${threadId}`;
      writeFileSync(draft, Buffer.concat([head, script.createCachedData()]));
      renameSync(draft, kept);
    } catch {
      // Packages may be there only to be read.
    }
  };
  return { value, keep };
}

/** Has a package of CommonJS in one file ready for whoever requires it in this thread. @returns as of {@link keptScript} */
export function readyPackage(name: string): () => void {
  const require = createRequire(import.meta.url);
  const file = require.resolve(name);
  const { version } = require(`${name}/package.json`) as { version: string };
  const code = Module.wrap(codeIn(file));
  const { value, keep } = keptScript({ code, file, name: name.replace(/\W+/g, "-"), version });
  const loaded = Object.assign(new Module(file), { filename: file, loaded: true });
  const run = value as (...given: unknown[]) => void;
  run(loaded.exports, createRequire(file), loaded, file, dirname(file));
  require.cache[file] = loaded;
  return keep;
}

/** The code in a file; that of ASCII alone is read in half the time as such. */
export function codeIn(file: string): string {
  const bytes = readFileSync(file);
  return bytes.toString(isAscii(bytes) ? "latin1" : "utf8");
}

function bytesOf(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}
