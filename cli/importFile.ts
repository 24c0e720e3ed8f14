import { basename, extname } from "node:path";
import { type Import, importTools } from "../resources/libraries.js";
import { openResources } from "../resources/resources.js";
import { parseContext } from "../state/context.js";
import { whileWorking } from "./whileWorking.js";

/** A file to import, and the library that its tools go to: by default one with the file's name. */
export interface FileImport {
  file: string;
  library?: string;
  description?: string;
  embeddings?: string;
}

/**
 * Imports the functions of a file, reports on stderr what could not be read, and returns the name of
 * the library.
 */
export async function importFile(options: FileImport): Promise<string> {
  return (await importInto(options)).library;
}

/** As {@link importFile}, with what was imported. */
export async function importInto(options: FileImport): Promise<Import & { library: string }> {
  const { file, description, embeddings } = options;
  const library = options.library ?? basename(file, extname(file));
  const context = parseContext({ library, embeddings });
  const { store } = openResources();
  const done = await whileWorking(`reading ${file}`, () =>
    importTools({ store, context, file, description }),
  );
  for (const { file: place, line, problem } of done.problems) {
    process.stderr.write(`${place}:${line}: ${problem}\n`);
  }
  return { ...done, library };
}
