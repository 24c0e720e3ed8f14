import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";

/** What stays outside: machine code, packages with files of their own, and what a request never or seldom needs. */
const OUTSIDE =
  "better-sqlite3 faiss-node @jitl/* pg typescript tsx esbuild tokenlens langchain pickleparser".split(
    " ",
  );

/** Modules that are looked for by their place: with a copy of their own, they would throw errors that ours do not know. */
const PLACED = /^tools\/catalogs\/\w+\/(?:index|world)\.ts$/;

/**
 * Puts the command that solves a request into one script, with all packages of JavaScript that it loads, and with a hash in
 * its first line (`cli/start.ts`).
 *
 * @param {{ esbuild: typeof import("esbuild"), common: import("esbuild").BuildOptions, root: string, sources: string[], file: string }} place
 * @returns {Promise<string[]>} the files in it
 */
export async function writeOneFile({ esbuild, common, root, sources, file }) {
  const placed = sources.map(posix).filter((source) => PLACED.test(source));
  const loaded = placed.map((each) => `"${built(each)}": () => import("./${each}")`);
  const contents = `export { main } from "./cli/main.ts";\nexport const placed = { ${loaded} };`;
  const { outdir: _outdir, outbase: _outbase, ...options } = common;
  const { metafile, outputFiles = [] } = await esbuild.build({
    ...options,
    stdin: { contents, resolveDir: root },
    bundle: true,
    format: "cjs",
    external: OUTSIDE,
    define: { "import.meta.isOneFile": "true" },
    // A module of ours has its place, others would have none.
    logOverride: { "empty-import-meta": "error" },
    plugins: [ourModules(root)],
    // LangChain stores objects under the names of their classes.
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // Node shows the line of an error that nothing catches.
    lineLimit: 200,
    legalComments: "none",
    metafile: true,
    write: false,
    outfile: file,
  });
  const code = asScript(outputFiles[0]?.text ?? "", root).replace(NAMING, CHEAP_NAMING);
  const hash = createHash("sha256").update(code).digest("hex");
  writeFileSync(file, `//${hash}\n(function(module,require,__load,__place,__find){${code}})`);
  return Object.keys(metafile?.inputs ?? {});
}

/** Leaves out the other commands, and tells our modules their places. @param {string} root @returns {import("esbuild").Plugin} */
function ourModules(root) {
  return {
    name: "our modules",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
        path === "./commands/solve.js" ? undefined : { path, external: true },
      );
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const place = JSON.stringify(built(posix(relative(root, path))));
        const contents = readFileSync(path, "utf8")
          .replaceAll("import.meta.url", `__place(${place})`)
          .replaceAll("import.meta.resolve(", "__find(");
        return { contents, loader: "ts" };
      });
    },
  };
}

/** esbuild's helper that keeps a name, and one that need not where it is the same: that spares ten thousand definitions. */
const NAMING = /__name=\(target,value\)=>/;
const CHEAP_NAMING = "__name=(target,value)=>target.name===value?target:";

/**
 * Has modules that are not in the script loaded from outside it: with compiled code that was kept, Node 20 does not know
 * where a script imports from. Writes other characters than ASCII as escapes, so that a character takes one byte.
 *
 * @param {string} code
 * @param {string} root
 */
function asScript(code, root) {
  /** @type {import("typescript")} */
  const ts = createRequire(join(root, "package.json"))("typescript");
  const source = ts.createSourceFile("solve.js", code, ts.ScriptTarget.Latest);
  /** @type {string[]} */
  const parts = [];
  let end = 0;
  const visit = (/** @type {import("typescript").Node} */ node) => {
    const text = node.end - node.pos < code.length ? replacement(node) : undefined;
    if (text === undefined) return ts.forEachChild(node, visit);
    parts.push(code.slice(end, node.getStart(source)), text);
    end = node.end;
  };
  const replacement = (/** @type {import("typescript").Node} */ node) => {
    if (node.kind === ts.SyntaxKind.ImportKeyword) return "__load";
    const isTemplate = ts.isTemplateLiteralToken(node);
    if (!isTemplate && !ts.isStringLiteral(node) && !ts.isRegularExpressionLiteral(node)) return;
    const text = node.getText(source);
    if (!OTHER.test(text)) return;
    // What a raw template escapes would be printed as it stands.
    return text.replaceAll(OTHER, (each) =>
      isTemplate ? `\${"${escaped(each)}"}` : escaped(each),
    );
  };
  visit(source);
  return parts.join("") + code.slice(end);
}

/** Characters that are not ASCII, and are not escaped themselves. */
const OTHER = /(?<!\\)[^\0-\x7f]/g;

/** @param {string} character */
function escaped(character) {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** @param {string} source */
function built(source) {
  return source.replace(/\.ts$/, ".js");
}

/** @param {string} path */
function posix(path) {
  return path.split(sep).join("/");
}
