import { isBuiltin } from "node:module";
import { dirname } from "node:path";
import ts from "typescript";
import type { SourceProblem } from "../../tool.js";
import { WHOLE_FILE, problemAt, problemAtNode } from "../problems.js";

/** A TypeScript program with one entry file. */
export interface SourceProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  entry: ts.SourceFile;
  /** The entry and all project files it imports, directly or not; absolute paths. */
  files: string[];
  /** Syntax errors and unresolved imports. */
  problems: SourceProblem[];
  /** Whether a project file has a syntax error, so the entry cannot be imported. */
  broken: boolean;
}

/**
 * Opens a program with `file` as its entry and our own options: a user's tsconfig may ask for checks or libraries that
 * do not matter for reading signatures.
 */
export function openProgram(file: string): SourceProgram {
  const host = cachingHost(OPTIONS, dirname(file));
  const program = ts.createProgram({ rootNames: [file], options: OPTIONS, host });
  const entry = program.getSourceFile(file);
  if (entry === undefined) throw new Error(`TypeScript did not open ${file}`);
  const { files, problems } = readImports(program, entry);
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

const OPTIONS: ts.CompilerOptions = {
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

/**
 * Parsed files shared by all readings in this process: TypeScript's library and Node's types. Parsing them again would
 * cost about 0.2 s for each file that is read.
 */
const sharedFiles = new Map<string, ts.SourceFile>();

const SHARED_FILE = /\/node_modules\/(?:typescript\/lib|@types\/node)\/.*\.d\.[cm]?ts$/;

/** A compiler host that parses shared files only once. */
export function cachingHost(options: ts.CompilerOptions, directory: string): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true);
  return {
    ...host,
    // `types: ["node"]` is looked up next to the user's file, not in the process's folder.
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

/**
 * Follows imports and re-exports through the project: relative ones and those that resolve to a file outside
 * node_modules. Packages, declaration files and TypeScript's libraries are not followed.
 *
 * @returns the files reached, the entry first, and a problem for each import that cannot be resolved
 */
function readImports(
  program: ts.Program,
  entry: ts.SourceFile,
): Pick<SourceProgram, "files" | "problems"> {
  const reached = new Map([[entry.fileName, entry]]);
  const problems: SourceProblem[] = [];
  // Iterating over a Map includes entries added meanwhile.
  for (const source of reached.values()) {
    for (const statement of source.statements) {
      const specifier = moduleSpecifier(statement);
      if (specifier === undefined) continue;
      const target = resolve(program, specifier);
      if (target.file !== undefined) reached.set(target.file.fileName, target.file);
      if (target.found || isTypeOnly(statement)) continue;
      const problem = `the import "${specifier.text}" cannot be found; fix the path or install the package`;
      problems.push(problemAtNode(specifier, WHOLE_FILE, problem));
    }
  }
  return { files: [...reached.keys()], problems };
}

function moduleSpecifier(statement: ts.Statement): ts.StringLiteral | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const specifier = statement.moduleSpecifier;
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier : undefined;
}

function resolve(
  program: ts.Program,
  specifier: ts.StringLiteral,
): { found: boolean; file?: ts.SourceFile } {
  const { resolvedModule } = ts.resolveModuleName(
    specifier.text,
    specifier.getSourceFile().fileName,
    program.getCompilerOptions(),
    ts.sys,
  );
  if (resolvedModule === undefined) {
    // Ambient modules (`declare module "x"`) have a symbol and no file.
    const symbol = program.getTypeChecker().getSymbolAtLocation(specifier);
    return { found: isBuiltin(specifier.text) || symbol !== undefined };
  }
  const ours = specifier.text.startsWith(".") || resolvedModule.isExternalLibraryImport !== true;
  const file = ours ? program.getSourceFile(resolvedModule.resolvedFileName) : undefined;
  return { found: true, ...(file !== undefined && !file.isDeclarationFile ? { file } : {}) };
}

/** Such an import is erased when the file runs, so it need not resolve. */
function isTypeOnly(statement: ts.Statement): boolean {
  if (ts.isExportDeclaration(statement)) return statement.isTypeOnly;
  if (!ts.isImportDeclaration(statement)) return false;
  const clause = statement.importClause;
  if (clause === undefined) return false;
  if (clause.isTypeOnly) return true;
  const named = clause.namedBindings;
  return (
    clause.name === undefined &&
    named !== undefined &&
    ts.isNamedImports(named) &&
    named.elements.every((element) => element.isTypeOnly)
  );
}

/** Only the first error of a file; later ones mostly follow from it. */
function firstSyntaxError(program: ts.Program, file: string): SourceProblem[] {
  const source = program.getSourceFile(file);
  const [error] = source === undefined ? [] : program.getSyntacticDiagnostics(source);
  if (error === undefined || source === undefined) return [];
  const text = ts.flattenDiagnosticMessageText(error.messageText, " ");
  const problem = `syntax error: ${text} Nothing in the file can be used until it is fixed`;
  return [problemAt(source, error.start, { exportName: WHOLE_FILE, problem })];
}
