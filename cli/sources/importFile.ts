import { basename, extname } from "node:path";
import { InvalidSetting } from "../../common/errors.js";
import { CATALOGS } from "../../tools/catalogs/index.js";
import { type Import, importTools } from "../../nodes/workspace/libraries.js";
import { openWorkspace } from "../../nodes/workspace/workspace.js";
import { parseSettings } from "../../state/settings.js";
import type { SourceProblem } from "../../tools/tool.js";
import { whileWorking } from "../printing/whileWorking.js";

/** A file to import, and the library for its tools: by default one with the file's name. */
export interface FileImport {
  file: string;
  library?: string;
  description?: string;
  embeddings?: string;
}

/** Makes the functions of a file tools of a library; exports that cannot be tools are reported on stderr. */
export async function importFile(options: FileImport): Promise<Import & { library: string }> {
  const { file, description, embeddings } = options;
  const library = options.library ?? libraryName(file);
  const context = parseSettings({ library, embeddings });
  const { store } = openWorkspace();
  const done = await whileWorking(`reading ${file}`, () =>
    importTools({ store, context, file, description }),
  );
  printProblems(done.problems);
  return { ...done, library };
}

/** Prints a line on stderr for each export that cannot be a tool. */
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

/**
 * The library for an import that names none: it has the name of the source.
 *
 * @throws InvalidSetting if the tools would be mixed with those of a catalog that ships
 */
export function ownLibrary({
  name,
  ...error
}: {
  name: string;
  setting: string;
  hint: string;
}): string {
  if (!Object.hasOwn(CATALOGS, name)) return name;
  const problem = `its library would be "${name}", which ships with tulipgraph`;
  throw new InvalidSetting({ ...error, problem });
}
