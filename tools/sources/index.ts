import { functionsOf } from "../compiler/index.js";
import type { SourceProblem } from "../tool.js";
import { readDeclarations } from "./readDeclarations.js";
import type { OtherExport } from "./exports.js";
import type { FileReading } from "./functions.js";
import { type KitReading, importsKit, readKitTools } from "./kitTools.js";
import { WHOLE_FILE, holdsDeclarations } from "./problems.js";

export { holdsDeclarations } from "./problems.js";
export type { FileReading } from "./functions.js";

/**
 * Reads all tools of one file: its exported functions, those in exported objects and classes, and the tools of kits
 * such as LangChain; or the declarations of a `.jsonl` file. Programs are read in a thread with the TypeScript
 * compiler; the file itself is run only where its text or its types show that it makes tools of a kit.
 *
 * Every exported value that gives no tool is a problem, once, with the reason. Types and plain data (numbers, texts,
 * objects and arrays without functions, enums) are none: settings beside tools are usual, and nobody takes them for
 * tools.
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
  const { others, ...functions } = await functionsOf({ file, catalog });
  const { tools, problems, files } = functions;
  if (isBroken(problems)) return functions;
  const isWorthRunning = importsKit(files) || others.some(({ kit }) => kit === "likely");
  const made = isWorthRunning ? await readKitTools({ file, taken: tools }) : NOTHING;
  // Where the file cannot run, nobody knows what it would have made; that is told already.
  const isTold = ({ kit, exportName }: OtherExport): boolean =>
    kit !== undefined && (isBroken(made.problems) || made.exports.includes(exportName));
  const unread = others.filter((other) => !isTold(other));
  return {
    tools: [...tools, ...made.tools],
    problems: [
      ...problems,
      ...made.problems,
      ...unread.map(({ kit: _kit, ...problem }) => problem),
    ],
    files,
  };
}

const NOTHING: KitReading = { tools: [], problems: [], exports: [] };

function isBroken(problems: readonly SourceProblem[]): boolean {
  return problems.some(({ exportName }) => exportName === WHOLE_FILE);
}
