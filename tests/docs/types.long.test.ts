import { resolve } from "node:path";
import ts from "typescript";
import { beforeAll, expect, it } from "vitest";
import { PAGES, blocksOf } from "./pages.js";

const ROOT = resolve(".");

/** Programs in the documents, by the name of a file in the root that stands for each. */
const programs = new Map(
  PAGES.flatMap((page) =>
    blocksOf(page)
      .filter(({ language, text }) => /^tsx?$/.test(language) && /^import /m.test(text))
      .map(({ line, language, text }) => {
        const name = `${page.replaceAll(/\W/g, "_")}_${line}.${language}`;
        return [resolve(ROOT, name), { at: `${page}:${line}`, text }] as const;
      }),
  ),
);

let wrong: string[];
beforeAll(() => {
  wrong = faultsOf(programs);
}, 240_000);

it("Every program in the documents compiles for a user who is strict.", () => {
  expect(programs.size).toBeGreaterThan(10);
  expect(wrong).toEqual([]);
});

/** What the compiler says of files that are not on the disk; tulipgraph stands for the sources. */
function faultsOf(files: ReadonlyMap<string, { at: string; text: string }>): string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Preserve,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.Preserve,
    types: ["node"],
    paths: { tulipgraph: [`${ROOT}/index.ts`], "tulipgraph/*": [`${ROOT}/*`] },
  };
  const host = ts.createCompilerHost(options);
  host.readFile = (name) => files.get(name)?.text ?? ts.sys.readFile(name);
  host.fileExists = (name) => files.has(name) || ts.sys.fileExists(name);
  const program = ts.createProgram([...files.keys()], options, host);
  return [...files].flatMap(([name, { at }]) => {
    const file = program.getSourceFile(name);
    const found = [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ];
    return found.map(
      ({ messageText }) => `${at}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`,
    );
  });
}
