import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** The files that each entry may load at once. A limit is raised only by a commit that says why. */
const LIMITS = { "graphs/base.ts": 71, "index.ts": 92 };

/** Packages that whoever imports tulipgraph has not installed. */
const { peerDependencies: OPTIONAL } = JSON.parse(
  readFileSync(join(ROOT, "package.json"), "utf8"),
) as { peerDependencies: Record<string, string> };

it.each(Object.entries(LIMITS))("%s reaches at most %i files by value", (entry, limit) => {
  expect(reachedFrom(entry).files.length).toBeLessThanOrEqual(limit);
});

it.each(["index.ts", "cli/main.ts", "cli/commands/solve.ts", "cli/commands/serve.ts"])(
  "%s loads no optional package at once",
  (entry) => {
    const optional = reachedFrom(entry).packages.filter((name) =>
      Object.keys(OPTIONAL).some((each) => name === each || name.startsWith(`${each}/`)),
    );
    expect(optional).toEqual([]);
  },
);

/** What is loaded with an entry: files of ours, and packages. Imports of types and dynamic imports do not count. */
function reachedFrom(entry: string): { files: string[]; packages: string[] } {
  const files = new Set([join(ROOT, entry)]);
  const packages = new Set<string>();
  for (const file of files) {
    for (const name of valueImports(file)) {
      const source = join(dirname(file), name).replace(/\.js$/, ".ts");
      if (!name.startsWith(".")) packages.add(name);
      else if (existsSync(source)) files.add(source);
    }
  }
  return { files: [...files].map((file) => relative(ROOT, file)), packages: [...packages] };
}

function valueImports(file: string): string[] {
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
  );
  return statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    if (!moduleSpecifier || !ts.isStringLiteral(moduleSpecifier)) return [];
    return isOfTypes(statement) ? [] : [moduleSpecifier.text];
  });
}

function isOfTypes(statement: ts.ImportDeclaration | ts.ExportDeclaration): boolean {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: named } = statement;
    return statement.isTypeOnly || (!!named && ts.isNamedExports(named) && areTypes(named));
  }
  const { importClause } = statement;
  if (!importClause) return false;
  const { name, namedBindings: named } = importClause;
  return (
    importClause.isTypeOnly || (!name && !!named && ts.isNamedImports(named) && areTypes(named))
  );
}

function areTypes({ elements }: ts.NamedImports | ts.NamedExports): boolean {
  return elements.every(({ isTypeOnly }) => isTypeOnly);
}
