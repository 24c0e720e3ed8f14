import { functionsOf } from "../compiler/index.js";
import { readDeclarations } from "./readDeclarations.js";
import type { FileReading } from "./functions.js";
import { importsLangChain, readLangChainTools } from "./langchain.js";
import { WHOLE_FILE, holdsDeclarations } from "./problems.js";

export { holdsDeclarations } from "./problems.js";
export type { FileReading } from "./functions.js";

/**
 * Reads all tools of one file: its exported functions and its LangChain tools, or the declarations
 * of a `.jsonl` file. Programs are read in a thread with the TypeScript compiler; the file itself is
 * imported only when it imports LangChain's tools.
 *
 * @param options.file path of a TypeScript or JavaScript file, or of a file of declarations
 * @param options.catalog name of the shipped catalogue that the file is the entry of
 * @returns functions first, each kind in source order; what was left out and why; and the files it depended on
 * @throws InvalidSetting when the file does not exist or is neither
 */
export async function readSource({
  file,
  catalog,
}: {
  file: string;
  catalog?: string;
}): Promise<FileReading> {
  if (holdsDeclarations(file)) return readDeclarations({ file });
  const reading = await functionsOf({ file, catalog });
  const cannotRun = reading.problems.some(({ exportName }) => exportName === WHOLE_FILE);
  if (cannotRun || !importsLangChain(reading.files)) return reading;
  const others = await readLangChainTools({ file, taken: reading.tools });
  return {
    tools: [...reading.tools, ...others.tools],
    problems: [...reading.problems, ...others.problems],
    files: reading.files,
  };
}
