import { basename, extname } from "node:path";
import { type Import, importTools } from "../workspace/libraries.js";
import { openWorkspace } from "../workspace/workspace.js";
import { parseContext } from "../state/context.js";
import type { SourceProblem } from "../tools/tool.js";
import { ownLibrary } from "./ownLibrary.js";
import { whileWorking } from "./whileWorking.js";

/** A file to import, and the library that its tools go to: by default one with the file's name. */
export interface FileImport {
  file: string;
  library?: string;
  description?: string;
  embeddings?: string;
}

/** Makes the functions of a file tools of a library; what cannot be one is told on stderr. */
export async function importFile(options: FileImport): Promise<Import & { library: string }> {
  const { file, description, embeddings } = options;
  const library = options.library ?? libraryName(file);
  const context = parseContext({ library, embeddings });
  const { store } = openWorkspace();
  const done = await whileWorking(`reading ${file}`, () =>
    importTools({ store, context, file, description }),
  );
  printProblems(done.problems);
  return { ...done, library };
}

/** One line on stderr for each export that is no tool. */
export function printProblems(problems: readonly SourceProblem[]): void {
  for (const { file, line, problem } of problems) {
    process.stderr.write(`${file}:${line}: ${problem}\n`);
  }
}

function libraryName(file: string): string {
  return ownLibrary({
    name: basename(file, extname(file)).replaceAll(/[^A-Za-z0-9_.-]/g, "_"),
    setting: `tool source ${file}`,
    hint: `name another one: tulipgraph tools import ${file} --library NAME`,
  });
}
