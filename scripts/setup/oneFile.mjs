import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, relative, sep } from "node:path";

/** What stays outside: machine code, packages with files of their own, and what a request never or seldom needs. */
const OUTSIDE =
  "better-sqlite3 faiss-node pickleparser @jitl/* pg typescript tsx esbuild tokenlens langchain".split(
    " ",
  );

/** Modules that are looked for by their place: another copy of them would throw errors that the file does not know. */
const PLACED = /^tools\/catalogs\/\w+\/(?:index|world)\.js$/;

/**
 * Puts the command that solves a request into one script (`cli/start.ts`), with all packages of JavaScript that it loads,
 * and with a hash in its first line.
 *
 * @param {{ esbuild: typeof import("esbuild"), common: import("esbuild").BuildOptions, root: string, sources: string[], file: string }} place
 * @returns {Promise<string[]>} the files in it
 */
export async function writeOneFile({ esbuild, common, root, sources, file }) {
  const places = sources.map(placeOf).filter((place) => PLACED.test(place));
  const placed = places.map((place) => `"${place}": () => import("./${place}")`);
  const contents = `export { main } from "./cli/main.js";\nexport const placed = { ${placed.join()} };`;
  const { outdir: _outdir, outbase: _outbase, ...options } = common;
  const { metafile, outputFiles } = await esbuild.build({
    ...options,
    stdin: { contents, resolveDir: root, loader: "ts" },
    format: "cjs",
    external: OUTSIDE,
    define: { "import.meta.isOneFile": "true" },
    logOverride: { "empty-import-meta": "error" },
    plugins: [ourModules(root)],
    // LangChain stores objects under the names of their classes.
    keepNames: true,
    minifySyntax: true,
    minifyWhitespace: true,
    // Node shows the line of an error that nothing catches.
    lineLimit: 200,
    legalComments: "none",
    write: false,
    outfile: file,
  });
  const code = withLoader(outputFiles[0]?.text ?? "", root)
    // esbuild would define ten thousand names that are there.
    .replace("__name=(target,value)=>", "$&target.name===value?target:");
  const hash = createHash("sha256").update(code).digest("hex");
  writeFileSync(file, `//${hash}\n(function(module,require,__load,__place,__find){${code}})`);
  return Object.keys(metafile?.inputs ?? {});
}

/** Leaves out the other commands, and tells our modules their places. @param {string} root @returns {import("esbuild").Plugin} */
function ourModules(root) {
  return {
    name: "our modules",
    setup(building) {
      building.onResolve({ filter: /^\.\/commands\// }, ({ path }) =>
        path === "./commands/solve.js" ? undefined : { path, external: true },
      );
      building.onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const contents = readFileSync(path, "utf8")
          .replaceAll("import.meta.url", `__place("${placeOf(relative(root, path))}")`)
          .replaceAll("import.meta.resolve(", "__find(")
          // In ASCII alone, a character takes one byte. What would show, raw templates, are parts of patterns.
          .replaceAll(
            /(?<!\\)[^\0-\x7f]/g,
            (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
          );
        return { contents, loader: "ts" };
      });
    },
  };
}

/** Has the script load modules by a function: where its code was kept, Node 20 does not know where it imports from. @param {string} code @param {string} root */
function withLoader(code, root) {
  /** @type {typeof import("typescript")} */
  const ts = createRequire(join(root, "package.json"))("typescript");
  /** @type {number[]} */
  const ends = [];
  const visit = (/** @type {import("typescript").Node} */ node) => {
    if (node.kind === ts.SyntaxKind.ImportKeyword) ends.push(node.end);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile("solve.js", code, ts.ScriptTarget.Latest));
  const parts = ends.map((end, at) => code.slice(ends[at - 1], end - "import".length));
  return [...parts, code.slice(ends.at(-1))].join("__load");
}

/** Where a source is in dist/. @param {string} source */
function placeOf(source) {
  return source.split(sep).join("/").replace(/\.ts$/, ".js");
}
