import { isBuiltin } from "node:module";
import ts from "typescript";
import type { SourceProblem } from "../tool.js";
import { WHOLE_FILE, problemAtNode } from "./problems.js";

/**
 * Follows the imports and re-exports of a file through the project: relative ones and those that
 * resolve to a file outside node_modules. Packages, declaration files and TypeScript's libraries
 * are not followed.
 *
 * @returns the files reached, the entry first, and a problem for each import that leads nowhere
 */
export function readImports({ program, entry }: { program: ts.Program; entry: ts.SourceFile }): {
  files: string[];
  problems: SourceProblem[];
} {
  const reached = new Map([[entry.fileName, entry]]);
  const problems: SourceProblem[] = [];
  // Iterating a Map includes entries added meanwhile.
  for (const source of reached.values()) {
    for (const statement of source.statements) {
      const specifier = moduleSpecifier(statement);
      if (specifier === undefined) continue;
      const target = resolve({ program, specifier });
      if (target.file !== undefined) reached.set(target.file.fileName, target.file);
      if (!target.found && !isTypeOnly(statement)) problems.push(unresolved(specifier));
    }
  }
  return { files: [...reached.keys()], problems };
}

function moduleSpecifier(statement: ts.Statement): ts.StringLiteral | undefined {
  if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return undefined;
  const specifier = statement.moduleSpecifier;
  return specifier !== undefined && ts.isStringLiteral(specifier) ? specifier : undefined;
}

function resolve({ program, specifier }: { program: ts.Program; specifier: ts.StringLiteral }): {
  found: boolean;
  file?: ts.SourceFile;
} {
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

/** Such an import is erased when the file runs, so it may lead nowhere. */
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

function unresolved(specifier: ts.StringLiteral): SourceProblem {
  return problemAtNode({
    node: specifier,
    exportName: WHOLE_FILE,
    problem: `the import "${specifier.text}" leads nowhere; mend the path or install the package`,
  });
}
