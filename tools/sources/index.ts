import type { FileReading } from "./functions.js";
import { importsLangChain, readLangChainTools } from "./langchain.js";
import { WHOLE_FILE } from "./problems.js";

export type { FileReading } from "./functions.js";

/**
 * Reads all tools of one file: its exported functions and its LangChain tools. The TypeScript
 * compiler is loaded on the first call and not before; the file itself is imported only when it
 * imports LangChain's tools.
 *
 * @param options.file path of a TypeScript or JavaScript file
 * @param options.catalog name of the shipped catalogue that the file is the entry of
 * @returns functions first, each kind in the order of the source, what was left out and why, and
 *   the files that the reading depended on
 * @throws InvalidSetting when the file does not exist or holds no program text
 */
export async function readSource({
  file,
  catalog,
}: {
  file: string;
  catalog?: string;
}): Promise<FileReading> {
  const { readFunctions } = await import("./functions.js");
  const reading = readFunctions({ file, catalog });
  const cannotRun = reading.problems.some(({ exportName }) => exportName === WHOLE_FILE);
  if (cannotRun || !importsLangChain(reading.files)) return reading;
  const others = await readLangChainTools({ file, taken: reading.tools });
  return {
    tools: [...reading.tools, ...others.tools],
    problems: [...reading.problems, ...others.problems],
    files: reading.files,
  };
}
