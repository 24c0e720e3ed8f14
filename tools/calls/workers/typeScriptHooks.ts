import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { LoadHook, ResolveHook } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// Hooks by which the built package loads users' TypeScript, and JavaScript that imports TypeScript. What is an ES module
// is told as Node 22.18 tells it: by the file's name, by its package, else by whether it imports or exports.

type Format = "module" | "commonjs";

const TYPE_SCRIPT = /\.([cm]?)tsx?$/;

/** What an import may leave out. */
const ENDINGS = [".ts", ".tsx", ".mts", ".cts", "/index.ts"];

/**
 * Finds the TypeScript file that an import calls "x.js" or "x", and packages that the user's file cannot reach among
 * ours, this one included.
 */
export const resolve: ResolveHook = async (specifier, context, next) => {
  try {
    return await next(specifier, context);
  } catch (error) {
    const source = sourceOf(specifier, context.parentURL);
    if (source !== undefined) return { url: source.href, shortCircuit: true };
    if (/^(?:[./]|\w+:)/.test(specifier)) throw error;
    return await next(specifier, { ...context, parentURL: import.meta.url });
  }
};

function sourceOf(specifier: string, parent: string | undefined): URL | undefined {
  if (!/^(?:\.{0,2}\/|file:)/.test(specifier)) return undefined;
  const { href } = new URL(specifier, parent);
  const named = href.replace(/\.([cm]?)js(x?)$/, ".$1ts$2");
  const candidates = named === href ? ENDINGS.map((ending) => href + ending) : [named];
  return candidates.map((each) => new URL(each)).find((each) => existsSync(each));
}

/** Compiles TypeScript. */
export const load: LoadHook = async (url, context, next) => {
  if (!url.startsWith("file:")) return await next(url, context);
  const file = fileURLToPath(url);
  const text = () => readFileSync(file, "utf8");
  // That of an installed package, too, such as our own examples: Node would refuse it.
  if (TYPE_SCRIPT.test(file)) {
    const { format, source } = await compiled(file, text());
    const found = format === "commonjs" ? withSources(source, url) : source;
    return { format, source: found, shortCircuit: true };
  }
  if (url.includes("/node_modules/")) return await next(url, context);
  // TypeScript imports JSON without saying again that it is JSON.
  if (file.endsWith(".json") && context.importAttributes["type"] === undefined)
    return { format: "module", source: `export default ${text()}`, shortCircuit: true };
  // Before version 22, Node does not look into JavaScript whose package says nothing.
  if (file.endsWith(".js") && packageType(dirname(file)) === undefined)
    return await next(url, { ...context, format: await formatOf(file, text()) });
  return await next(url, context);
};

/** Calls of `require` in which Node, which asks no hook for them, finds the TypeScript that they call "x.js" or "x". */
function withSources(code: string, parent: string): string {
  return code.replaceAll(/\brequire\("(\.{1,2}\/[^"\n]+)"\)/g, (call, specifier: string) => {
    if (lstatSync(new URL(specifier, parent), { throwIfNoEntry: false })?.isFile()) return call;
    const source = sourceOf(specifier, parent);
    return source ? `require(${JSON.stringify(fileURLToPath(source))})` : call;
  });
}

interface Compiled {
  format: Format;
  source: string;
}

/** What a file compiles to. It is kept, because loading the compiler takes longer than all else that a call needs. */
async function compiled(file: string, text: string): Promise<Compiled> {
  const compiler = readFileSync(new URL("./compile.js", import.meta.url), "utf8");
  const parts = [compiler, basename(file), packageType(dirname(file)), text];
  const hash = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  const kept = keptFile(`${hash}.json`);
  if (kept && existsSync(kept)) return JSON.parse(readFileSync(kept, "utf8")) as Compiled;
  const { compile } = await import("./compile.js");
  const format = await formatOf(file, text);
  const made = { format, source: compile({ file, text, format }) };
  if (kept) keep(kept, JSON.stringify(made));
  return made;
}

/** A file in a folder to which nobody else may write, for what is kept is run. Undefined where there is none. */
function keptFile(name: string): string | undefined {
  const user = process.getuid?.();
  if (user === undefined) return undefined;
  const folder = join(tmpdir(), `tulipgraph-compiled-${user}`);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    return uid === user && (mode & 0o077) === 0 ? join(folder, name) : undefined;
  } catch {
    // Such as a file system that only reads.
    return undefined;
  }
}

function keep(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, text);
    renameSync(draft, file);
  } catch {
    // The disk may be full; the next process compiles again.
  }
}

async function formatOf(file: string, text: string): Promise<Format> {
  const [, letter] = TYPE_SCRIPT.exec(file) ?? [];
  if (letter) return letter === "m" ? "module" : "commonjs";
  const type = packageType(dirname(file));
  if (type !== undefined) return type;
  const { isModule } = await import("./compile.js");
  return isModule(file, text) ? "module" : "commonjs";
}

/** What the nearest package.json says; undefined if it says nothing. */
function packageType(folder: string): Format | undefined {
  const file = join(folder, "package.json");
  if (existsSync(file)) {
    const { type } = JSON.parse(readFileSync(file, "utf8")) as { type?: string };
    return type === "module" || type === "commonjs" ? type : undefined;
  }
  const above = dirname(folder);
  return above === folder ? undefined : packageType(above);
}
