import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { codeIn, keptScript } from "../common/keptCode.js";
import { EXIT, NOT_IN_FILE } from "./exit.js";

interface OneFile {
  main: (argv: string[]) => Promise<number>;
  /** Modules that are looked for by their place in dist/. */
  placed: Record<string, () => Promise<unknown>>;
}

const DIST = new URL("../", import.meta.url);
const FILE = new URL("cli/solve.cjs", DIST);

// What modules have and scripts have not.
const place = (path: string) => new URL(path, DIST).href;
const find = (name: string) => import.meta.resolve(name);

/**
 * Runs the command line (`cli/main.ts`): a request from one file (scripts/setup/oneFile.mjs), which loads in a fraction of
 * the time of a thousand modules. As that file has its own copies of LangChain and of our modules, what meets others, such
 * as a wiring in a user's file, runs module by module, as do all other commands.
 */
export async function start(argv: string[]): Promise<number> {
  if (isRequest(argv) && existsSync(FILE)) {
    const { main, keep } = loadFile();
    const code = await main(argv);
    // What a run has needed is kept, rather than what a wrong option has.
    if (code !== NOT_IN_FILE && code !== EXIT.usage) keep();
    if (code !== NOT_IN_FILE) return code;
  }
  const { main } = await import("./main.js");
  return await main(argv);
}

/** A single word is another command; help is soon there. */
function isRequest(argv: readonly string[]): boolean {
  const [first = ""] = argv;
  const isLong = first === "solve" || /^[^-].*[^a-z]/is.test(first);
  return isLong && !argv.includes("--help") && !argv.includes("-h");
}

function loadFile() {
  const file = fileURLToPath(FILE);
  const code = codeIn(file);
  // The build writes a hash of the code into its first line.
  const version = code.slice(0, code.indexOf("\n"));
  const { value, keep } = keptScript({ code, file, name: "solve", version });
  const module = { exports: {} as OneFile };
  const load = async (name: string): Promise<unknown> =>
    await (module.exports.placed[name.replace(DIST.href, "")]?.() ?? import(name));
  (value as (...given: unknown[]) => void)(module, createRequire(FILE), load, place, find);
  return { main: module.exports.main, keep };
}
