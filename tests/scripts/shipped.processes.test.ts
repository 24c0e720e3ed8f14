import { existsSync, readFileSync, readdirSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/setup/prepare.mjs";

const DIST = join(projectRoot, "dist");

/** What shipped modules import in a checkout alone: the page's builder, and the loader of TypeScript. */
const IN_A_CHECKOUT = new Set([
  // The LangGraph.js project that is served brings it.
  "@langchain/langgraph-api",
  "esbuild",
  "tsx",
  // FaissStore asks for it where it reads a folder that Python wrote, which nothing of ours does.
  "pickleparser",
  // Vega measures text with it, if it is there.
  "canvas",
]);

/** What users import and the command line loads, which must work without optional packages. */
const ENTRIES = /^(?:index|cli\/start|cli\/main|cli\/commands\/\w+|nodes\/.*)\.js$/;

/** What loads or finds a module by name. */
const LOADER =
  /^(?:import|require|__load|import\.meta\.resolve|(?:createRequire|requireFrom)\(.*\)(?:\.resolve)?)$/;

interface Import {
  from: string;
  name: string;
  /** Whether it is loaded with the module that imports it. */
  isStatic: boolean;
}

const { dependencies, optionalDependencies, peerDependencies } = JSON.parse(
  readFileSync(join(projectRoot, "package.json"), "utf8"),
) as Record<"dependencies" | "optionalDependencies" | "peerDependencies", Record<string, string>>;

const files = readdirSync(DIST, { recursive: true, encoding: "utf8" }).filter(
  // The page's script runs in a browser, with everything in it.
  (file) => /\.c?js$/.test(file) && file !== "server/page/page.js",
);
const imports = files.flatMap(importsIn);
const ofPackages = imports.filter(({ name }) => !name.startsWith(".") && !isBuiltin(name));

it("every package that a shipped module imports is installed with ours, or is optional", () => {
  expect(ofPackages.length).toBeGreaterThan(100);
  const unknown = ofPackages.filter(({ name }) => {
    const own = packageOf(name);
    const named = { ...dependencies, ...optionalDependencies, ...peerDependencies };
    return !(own in named || IN_A_CHECKOUT.has(own));
  });
  expect(unknown).toEqual([]);
});

it("every module that a shipped module imports is shipped", () => {
  const own = imports.filter(({ name }) => /^\.{1,2}\/.*\.js$/.test(name));
  expect(own.length).toBeGreaterThan(1000);
  const missing = own.filter(({ from, name }) => !existsSync(join(DIST, from, "..", name)));
  expect(missing).toEqual([]);
});

it("no package that may be missing is loaded before somebody asks for what it does", () => {
  const reached = new Set(files.filter((file) => ENTRIES.test(file)));
  const steps = imports.filter(({ name, isStatic }) => isStatic && name.startsWith("."));
  for (const file of reached) {
    for (const { from, name } of steps) if (from === file) reached.add(join(file, "..", name));
  }
  const early = ofPackages.filter(
    ({ from, name, isStatic }) =>
      isStatic && reached.has(from) && !(packageOf(name) in dependencies),
  );
  expect(early).toEqual([]);
});

/** The package of a module's name, such as "@langchain/core" of "@langchain/core/messages". */
function packageOf(name: string): string {
  return name.split("/", name.startsWith("@") ? 2 : 1).join("/");
}

/** What a file imports by name: in statements, calls of `import`, and calls of what `createRequire` makes. */
function importsIn(from: string): Import[] {
  const text = readFileSync(join(DIST, from), "utf8");
  const source = ts.createSourceFile(from, text, ts.ScriptTarget.Latest);
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    const isStatic = ts.isImportDeclaration(node) || ts.isExportDeclaration(node);
    const named = isStatic ? node.moduleSpecifier : loadedBy(node, source);
    if (named && ts.isStringLiteral(named)) found.push({ from, name: named.text, isStatic });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function loadedBy(node: ts.Node, source: ts.SourceFile): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !LOADER.test(node.expression.getText(source))) return undefined;
  return node.arguments[0];
}
