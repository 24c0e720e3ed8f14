import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative, sep } from "node:path";
import { pathToFileURL } from "node:url";
import { writeOneFile } from "./oneFile.mjs";
import { SetupFailed } from "./report.mjs";
import { hashOf, isMissing, readStamp, updateStamp } from "./stamp.mjs";

/** @import { Workplace } from "./prepare.mjs" */

/** @typedef {Pick<Workplace, "root">} Place */

/** The rooms of the house. */
export const SOURCE_FOLDERS =
  "agents cli common eval graphs home memory models nodes plans server state storage tools".split(
    " ",
  );

/** Configuration of tools, not part of the sources. */
const CONFIGURATION = /\.config\.ts$/;

/** How sources become code. @type {import("esbuild").BuildOptions} */
const COMPILATION = {
  format: "esm",
  platform: "node",
  target: "node20.12",
  loader: { ".json": "copy", ".css": "copy", ".html": "copy", ".txt": "copy", ".py": "copy" },
  logLevel: "silent",
};

/**
 * Sources that are bundled with what they import, because one file loads faster than many, or brings less. The licences
 * of the bundled packages are put beside them. `types` is a package whose declarations ours refer to.
 *
 * @type {{ source: string, types?: string, external?: string[] }[]}
 */
export const TAKEN_IN = [
  { source: "storage/kysely.ts", types: "kysely" },
  { source: "common/schemas/ajv.ts" },
  { source: "eval/report/vega.ts" },
  { source: "models/chat/langchainOpenAi.ts", external: ["@langchain/core/*", "zod"] },
  {
    source: "tools/library/vectors/langchainFaiss.ts",
    external: ["@langchain/core/*", "faiss-node"],
  },
  { source: "tools/catalogs/math/index.ts" },
  { source: "plans/language/readProgram.ts", external: ["typescript"] },
  { source: "plans/language/typeIssues.ts", external: ["typescript"] },
];

/** Where the modules of the server's page are, which become one script and one style (`common/pageFiles.ts`). */
const PAGE = "server/page/";

/** Compiles the TypeScript sources to dist/, file by file, into the same folders. */
export const buildStep = {
  title: "building",
  isDone: (/** @type {Place} */ { root }) =>
    readStamp(stampFile(root)).sources === sourcesHash(root),
  work: async (/** @type {Place} */ { root }) => {
    const hash = sourcesHash(root);
    await compile(root);
    updateStamp(stampFile(root), { sources: hash });
  },
};

/** Whether dist/ has the declarations of the sources as they are. @param {string} root */
export function declarationsAreWritten(root) {
  return readStamp(stampFile(root)).declarations === sourcesHash(root);
}

/** @param {string} root */
export function noteDeclarations(root) {
  updateStamp(stampFile(root), { declarations: sourcesHash(root) });
}

/** @param {string} root */
function stampFile(root) {
  return join(root, "dist", ".stamp");
}

/**
 * A hash of names and contents, including what builds them and which packages there are, but not of times: clones, copies and changes of branch alter times.
 *
 * @param {string} root
 */
function sourcesHash(root) {
  const sources = listSources(root);
  const contents = sources.map((path) => readFileSync(join(root, path)));
  const code = ["build.mjs", "oneFile.mjs"].map((name) => new URL(name, import.meta.url));
  const build = [...code, join(root, "package.json")];
  return hashOf([...build.map((file) => readFileSync(file)), ...sources, ...contents]);
}

/**
 * @param {string} root
 * @returns {string[]} paths below the root, sorted
 */
function listSources(root) {
  const inFolders = SOURCE_FOLDERS.flatMap((folder) => filesBelow(join(root, folder)));
  const inRoot = readdirSync(root)
    .filter((name) => name.endsWith(".ts") && !CONFIGURATION.test(name))
    .map((name) => join(root, name));
  return [...inFolders, ...inRoot]
    .map((file) => relative(root, file))
    .filter((path) => /\.(tsx?|json|css|html|txt|py)$/.test(path) && !path.endsWith(".d.ts"))
    .toSorted((a, b) => (a < b ? -1 : 1));
}

/** @param {string} folder @returns {string[]} */
function filesBelow(folder) {
  try {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? filesBelow(path) : [path];
    });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

/** @param {string} root */
async function compile(root) {
  const temporary = join(root, `dist.tmp-${process.pid}`);
  const sources = listSources(root);
  try {
    await runEsbuild({ root, sources, outdir: temporary });
    publish({ from: temporary, to: join(root, "dist") });
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** @param {{ root: string, sources: string[], outdir: string }} request */
async function runEsbuild({ root, sources, outdir }) {
  const location = createRequire(join(root, "package.json")).resolve("esbuild");
  const { default: esbuild } = await import(pathToFileURL(location).href);
  try {
    const common = { ...COMPILATION, absWorkingDir: root, outbase: root, outdir };
    const taking = TAKEN_IN.filter(({ source }) => sources.includes(source));
    const alone = new Set(taking.map(({ source }) => source));
    const isAlone = (/** @type {string} */ each) => alone.has(each) || isOfPage(each);
    await esbuild.build({ ...common, entryPoints: sources.filter((each) => !isAlone(each)) });
    const loader = { ...common.loader, ".json": /** @type {const} */ ("json") };
    const bundling = { ...common, loader, bundle: true, metafile: true };
    for (const { source, external } of taking) {
      const { metafile } = await esbuild.build({ ...bundling, entryPoints: [source], external });
      const file = join(outdir, source.replace(/\.ts$/, ".LICENSE"));
      writeLicences({ file, folder: root, inputs: Object.keys(metafile.inputs) });
    }
    if (sources.includes(join("cli", "commands", "solve.ts"))) {
      const file = join(outdir, "cli", "solve.cjs");
      const inputs = await writeOneFile({ esbuild, common: bundling, root, sources, file });
      writeLicences({ file: file.replace(/cjs$/, "LICENSE"), folder: root, inputs });
    }
    if (sources.some(isOfPage)) await writePage({ root, outdir });
    if (sources.includes(PUBLISHED)) importGraphsByName({ root, outdir });
    filesBelow(outdir).forEach(requireCompiler);
  } catch (error) {
    throw new SetupFailed(`the sources could not be built: ${buildReason(error)}`);
  }
}

const COMPILER_IMPORT = /^import (\w+) from "(typescript)";$/gm;

/**
 * An imported compiler is read twice, because Node first scans its nine megabytes of CommonJS for exported names. Required,
 * it loads in half the time.
 *
 * @param {string} file
 */
function requireCompiler(file) {
  if (!file.endsWith(".js")) return;
  const code = readFileSync(file, "utf8");
  const required = code.replace(COMPILER_IMPORT, 'const $1 = requireFrom(import.meta.url)("$2");');
  if (required === code) return;
  writeFileSync(file, `import { createRequire as requireFrom } from "node:module";\n${required}`);
}

/** Whether a source is a part of the page: neither a file that is served as it is, nor what the server does for it. @param {string} source */
function isOfPage(source) {
  const path = source.split(sep).join("/");
  return path.startsWith(PAGE) && !/\.html$|\/routes\//.test(path);
}

/** Puts the page's script and style into its folder, with the licences of the packages in them. @param {{ root: string, outdir: string }} place */
async function writePage({ root, outdir }) {
  const { pageFiles } = await import(pathToFileURL(join(outdir, "common/pageFiles.js")).href);
  const { script, style, inputs } = await pageFiles(pathToFileURL(join(root, PAGE)));
  writeFileSync(join(outdir, PAGE, "page.js"), script);
  writeFileSync(join(outdir, PAGE, "page.css"), style);
  writeLicences({ file: join(outdir, PAGE, "page.LICENSE"), folder: join(root, PAGE), inputs });
}

/**
 * Writes the licences of the packages whose files went into a bundle, if there are any.
 *
 * @param {{ file: string, folder: string, inputs: string[] }} bundle the paths of `inputs` begin at `folder`
 */
function writeLicences({ file, folder, inputs }) {
  const packages = [...new Set(inputs.flatMap((path) => packageOf(join(folder, path))))];
  if (packages.length > 0) writeFileSync(file, packages.toSorted().map(licenceOf).join("\n\n"));
}

/** The innermost package that holds a file. Some packages hold copies of others, without what describes these. @param {string} file */
function packageOf(file) {
  const ends = [...file.matchAll(/\/node_modules\/(?:@[^/]+\/)?[^/]+/g)].map(
    ({ index, 0: name }) => index + name.length,
  );
  const folders = ends.map((end) => file.slice(0, end));
  return folders.findLast((folder) => existsSync(join(folder, "package.json"))) ?? [];
}

/** The licence of a package, under its name. @param {string} folder */
function licenceOf(folder) {
  const { name, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name}\n\n${file ? readFileSync(join(folder, file), "utf8") : license}`;
}

const PUBLISHED = join("graphs", "published.ts");

/** The expression to replace there, and a line of the list of graphs in index.ts. */
const AWAITED = "await allGraphs()";
const LISTED =
  /^\s*(\w+): (?:async )?\(\) => \(?(?:await )?import\("(\.\/\w+\.js)"\)(\)\.made\.\w+)?,$/gm;

/**
 * `require` can load the package only without top-level await. So the build replaces the awaited list of graphs by static
 * imports, which saves a second list in the sources.
 *
 * @param {{ root: string, outdir: string }} place
 */
function importGraphsByName({ root, outdir }) {
  const list = readFileSync(join(root, "graphs/index.ts"), "utf8");
  const graphs = [...list.matchAll(LISTED)].map(([, id, file, isOfFamily]) => ({
    id,
    file,
    made: isOfFamily ? `${id}.made.${id}` : id,
  }));
  const file = join(outdir, PUBLISHED.replace(/\.ts$/, ".js"));
  const code = readFileSync(file, "utf8");
  if (graphs.length === 0 || !code.includes(AWAITED)) {
    throw new SetupFailed("graphs/published.ts or graphs/index.ts is not what the build expects");
  }
  const imports = graphs.map(({ id, file: from }) => `import * as ${id} from "${from}";\n`);
  const entries = graphs.map(({ id, made }) => `${id}: entryOf(${made})`);
  const made = `const entryOf = ({ about, graph, wiring }) => ({ ...about, graph, wiring });\n`;
  const named = code.replace(AWAITED, `{ ${entries.join(", ")} }`);
  writeFileSync(file, imports.join("") + made + named);
}

/** esbuild's first error, with file and line. @param {unknown} error */
function buildReason(error) {
  const [first] = /** @type {import("esbuild").BuildFailure} */ (error).errors ?? [];
  if (!first) return /** @type {Error} */ (error).message;
  const place = first.location ? `${first.location.file}:${first.location.line}: ` : "";
  return place + first.text;
}

/**
 * Moves the files one by one, so that dist/ never disappears under a program that is still loading parts of it, and
 * removes files whose source is gone.
 *
 * @param {{ from: string, to: string }} folders
 */
function publish({ from, to }) {
  const built = filesBelow(from).map((file) => relative(from, file));
  for (const path of built) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    renameSync(join(from, path), join(to, path));
  }
  const expected = new Set(built.flatMap((path) => [path, path.replace(/\.js$/, ".d.ts")]));
  const present = filesBelow(to).map((file) => relative(to, file));
  for (const path of present) {
    const isOurs = path.split(sep).join("/") !== ".stamp";
    if (isOurs && !expected.has(path)) rmSync(join(to, path));
  }
}
