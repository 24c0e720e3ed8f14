import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { codeIn, keptScript } from "../common/keptCode.js";
import { NotInFile, isNotInFile } from "./notInFile.js";

/** What the file exports. */
interface OneFile {
  main: (argv: string[]) => Promise<number>;
  /** Modules that are looked for by their place in dist/. */
  placed: Record<string, () => Promise<unknown>>;
}

/** The file as a function of what modules have and scripts have not. */
type Run = (
  module: { exports: OneFile },
  require: NodeJS.Require,
  load: (name: string) => Promise<unknown>,
  place: (path: string) => string,
  find: (name: string) => string,
) => void;

const DIST = new URL("../", import.meta.url);
const FILE = new URL("cli/solve.cjs", DIST);

/**
 * Runs the command line (`cli/main.ts`): a request from one file (scripts/setup/oneFile.mjs), which loads in a fraction of
 * the time of a thousand modules. That file has its own copies of LangChain and of our modules. So what may meet others,
 * such as the wiring in a user's file, runs module by module, as do all other commands; the file says so before it has
 * done anything.
 */
export async function start(argv: string[]): Promise<number> {
  if (isRequest(argv) && existsSync(FILE)) {
    const { main, keep } = loadFile();
    try {
      const code = await main(argv);
      keep();
      return code;
    } catch (error) {
      if (!isNotInFile(error)) throw error;
    }
  }
  const { main } = await import("./main.js");
  return await main(argv);
}

/** Whether the words may be a request; a single word is another command. */
function isRequest([first = ""]: readonly string[]): boolean {
  return first === "solve" || !/^[a-z]+$/i.test(first);
}

function loadFile(): { main: OneFile["main"]; keep: () => void } {
  const file = fileURLToPath(FILE);
  const code = codeIn(file);
  // The build writes a hash of the code into its first line.
  const version = code.slice(0, code.indexOf("\n"));
  const { value, keep } = keptScript({ code, file, name: "solve", version });
  const module = { exports: {} as OneFile };
  const load = async (name: string): Promise<unknown> => {
    if (name.startsWith(".")) throw new NotInFile();
    const placed = module.exports.placed[name.replace(DIST.href, "")];
    return await (placed?.() ?? import(name));
  };
  const place = (path: string) => new URL(path, DIST).href;
  const find = (name: string) => import.meta.resolve(name);
  (value as Run)(module, createRequire(FILE), load, place, find);
  return { main: module.exports.main, keep };
}
