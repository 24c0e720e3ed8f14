import { dirname } from "node:path";
import ts from "typescript";
import type { SourceProblem } from "../tool.js";
import { readImports } from "./imports.js";
import { WHOLE_FILE, problemAt } from "./problems.js";

/** A TypeScript program with one entry file. */
export interface SourceProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  entry: ts.SourceFile;
  /** The entry and all project files it imports, directly or not; absolute paths. */
  files: string[];
  /** Syntax errors and dangling imports. */
  problems: SourceProblem[];
  /** Whether a project file has a syntax error, so that the entry cannot be imported. */
  broken: boolean;
}

/**
 * Opens a program over `file` with our own options: a user's tsconfig may ask for checks or libraries
 * irrelevant to reading signatures.
 *
 * @param file absolute path of an existing TypeScript or JavaScript file
 */
export function openProgram(file: string): SourceProgram {
  const options = compilerOptions();
  const host = cachingHost({ options, directory: dirname(file) });
  const program = ts.createProgram({ rootNames: [file], options, host });
  const entry = program.getSourceFile(file);
  if (entry === undefined) throw new Error(`TypeScript did not open ${file}`);
  const { files, problems } = readImports({ program, entry });
  const syntaxProblems = files.flatMap((name) => firstSyntaxError(program, name));
  return {
    program,
    checker: program.getTypeChecker(),
    entry,
    files,
    problems: [...syntaxProblems, ...problems],
    broken: syntaxProblems.length > 0,
  };
}

function compilerOptions(): ts.CompilerOptions {
  return {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ["node"],
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    allowJs: true,
    checkJs: true,
    resolveJsonModule: true,
    jsx: ts.JsxEmit.Preserve,
  };
}

/**
 * Parsed files shared by all readings in this process: TypeScript's library and Node's types. Parsing them
 * again would cost about 0.2 s per file read.
 */
const sharedFiles = new Map<string, ts.SourceFile>();

const SHARED_FILE = /\/node_modules\/(?:typescript\/lib|@types\/node)\/.*\.d\.[cm]?ts$/;

/**
 * A compiler host that parses shared files only once.
 *
 * @param request.directory the current directory of the program
 */
export function cachingHost({
  options,
  directory,
}: {
  options: ts.CompilerOptions;
  directory: string;
}): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  return {
    ...host,
    // Where `types: ["node"]` is looked up: next to the user's file, not the process.
    getCurrentDirectory: () => directory,
    getSourceFile: (name, ...rest) => {
      const known = sharedFiles.get(name);
      if (known !== undefined) return known;
      const parsed = host.getSourceFile(name, ...rest);
      if (parsed !== undefined && SHARED_FILE.test(name)) sharedFiles.set(name, parsed);
      return parsed;
    },
  };
}

/** Only the first error of a file; later ones are mostly consequences. */
function firstSyntaxError(program: ts.Program, file: string): SourceProblem[] {
  const source = program.getSourceFile(file);
  const [error] = source === undefined ? [] : program.getSyntacticDiagnostics(source);
  if (error === undefined || source === undefined) return [];
  const text = ts.flattenDiagnosticMessageText(error.messageText, " ");
  return [
    problemAt({
      source,
      position: error.start,
      exportName: WHOLE_FILE,
      problem: `syntax error: ${text} Nothing of the file can be used until it is mended`,
    }),
  ];
}
