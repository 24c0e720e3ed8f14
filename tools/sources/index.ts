import { type CompilerEnd, askCompiler } from "../calls/compiler/compilerThread.js";
import type { SourceProblem } from "../tool.js";
import { readDeclarations } from "./functions/readDeclarations.js";
import type { OtherExport } from "./functions/exports.js";
import { sourceFile } from "./file.js";
import type { FileReading, FunctionsReading } from "./functions/functions.js";
import { type LangChainReading, importsLangChain, readLangChainTools } from "./langChainTools.js";
import { WHOLE_FILE, holdsDeclarations } from "./problems.js";

export type { FileReading } from "./functions/functions.js";

/** Time limit for reading a program, in milliseconds: it may import packages with large declarations. */
const FILE_MS = 120_000;

/**
 * Reads all tools of one file: its exported functions, those in exported objects, and LangChain's
 * tools; or the declarations in a `.json` or `.jsonl` file. A thread reads programs with the TypeScript compiler; a file is run only
 * if it imports from LangChain.
 *
 * Every exported value that yields no tool is reported once, with the reason. Types and plain data (numbers, texts,
 * objects and arrays without functions, enums) are not: files often export settings next to their tools.
 *
 * @returns functions in source order, then LangChain's tools; what was left out and why; the files read
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
  const made = importsLangChain(files) ? await readLangChainTools({ file, taken: tools }) : NOTHING;
  // If the file cannot run, nobody knows what it would have made, and that is reported already.
  const isExplained = ({ mayBeTools, exportName }: OtherExport): boolean =>
    mayBeTools === true && (isBroken(made.problems) || made.exports.includes(exportName));
  const unread = others.filter((other) => !isExplained(other));
  return {
    tools: [...tools, ...made.tools],
    problems: [
      ...problems,
      ...made.problems,
      ...unread.map(({ mayBeTools: _known, ...problem }) => problem),
    ],
    files,
  };
}

const NOTHING: LangChainReading = { tools: [], problems: [], exports: [] };

function isBroken(problems: readonly SourceProblem[]): boolean {
  return problems.some(({ exportName }) => exportName === WHOLE_FILE);
}

const READER = new URL("./functions/functions.js", import.meta.url).href;

/**
 * Reads the exported functions of a file (`functions.ts`) in a thread with limits on time and memory. A file that
 * exceeds one, or nests too deep for the compiler, is a problem as a whole.
 *
 * @throws InvalidSetting when the file does not exist or is not program text
 */
export async function functionsOf(
  request: { file: string; catalog?: string },
  timeoutMs = FILE_MS,
): Promise<FunctionsReading> {
  const { path } = sourceFile(request.file);
  const question = { module: READER, reader: "readFunctions", given: [request] };
  const end = await askCompiler<FunctionsReading>({ question, timeoutMs });
  if ("reading" in end) return end.reading;
  const problem = `${unreadable(end, timeoutMs)}. Nothing in the file can be used until it is fixed`;
  return {
    tools: [],
    problems: [{ file: path, line: 1, exportName: WHOLE_FILE, problem }],
    files: [path],
    others: [],
  };
}

function unreadable(end: Exclude<CompilerEnd, { reading: unknown }>, timeoutMs: number): string {
  if ("thrown" in end) {
    // The compiler is recursive, so deep nesting exhausts the stack.
    return end.thrown.startsWith("RangeError")
      ? "the file is nested too deep to be read"
      : `the file cannot be read (${end.thrown})`;
  }
  return end.met === "time"
    ? `reading the types of the file did not end within ${timeoutMs / 1_000} s`
    : "reading the types of the file takes too much memory";
}
