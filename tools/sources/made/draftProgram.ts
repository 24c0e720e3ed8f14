import ts from "typescript";
import { clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import type { FunctionTool } from "../functions/functions.js";
import { cachingHost } from "../functions/sourceProgram.js";
import { type DraftProblem, problemAt } from "./draft.js";
import { isOwnExport } from "./draftForm.js";

export interface DraftProgram {
  program: ts.Program;
  checker: ts.TypeChecker;
  source: ts.SourceFile;
}

const DRAFT = "/draft.ts";
const GLOBALS = "/globals.d.ts";

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  // Only the language, as in the sandbox.
  lib: ["lib.es2023.d.ts"],
  types: [],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  strict: true,
  noImplicitReturns: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Parses a draft; its program reports syntax errors. */
export function parseDraft(code: string): ts.SourceFile {
  return ts.createSourceFile(DRAFT, code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
}

/** Creates a draft's program in memory; the only files it reads are TypeScript's own library. */
export function openDraft(code: string, globals: string): DraftProgram {
  const host = cachingHost(OPTIONS, "/");
  const texts = new Map([
    [DRAFT, code],
    [GLOBALS, globals],
  ]);
  const own: ts.CompilerHost = {
    ...host,
    fileExists: (name) => texts.has(name),
    readFile: (name) => texts.get(name),
    directoryExists: () => false,
    getSourceFile: (name, languageVersion, ...rest) => {
      const text = texts.get(name);
      return text === undefined
        ? host.getSourceFile(name, languageVersion, ...rest)
        : ts.createSourceFile(name, text, languageVersion, true);
    },
  };
  const program = ts.createProgram({ rootNames: [...texts.keys()], options: OPTIONS, host: own });
  const source = program.getSourceFile(DRAFT);
  if (source === undefined) throw new Error("TypeScript did not open the draft");
  return { program, checker: program.getTypeChecker(), source };
}

export function syntaxProblems({ program, source }: DraftProgram): DraftProblem[] {
  return program
    .getSyntacticDiagnostics(source)
    .slice(0, 1)
    .map((found) => problemOf(found, source));
}

const MOST_SHOWN = 5;

export function typeProblems({ program, source }: DraftProgram): DraftProblem[] {
  return program
    .getSemanticDiagnostics(source)
    .filter(({ category }) => category === ts.DiagnosticCategory.Error)
    .slice(0, MOST_SHOWN)
    .map((found) => problemOf(found, source));
}

function problemOf(found: ts.Diagnostic, source: ts.SourceFile): DraftProblem {
  const { start = 0, length = 0 } = found;
  const text = oneLine(ts.flattenDiagnosticMessageText(found.messageText, " "));
  const name = source.text.slice(start, start + length);
  const isAbsent = text.startsWith("Cannot find name") && Object.hasOwn(globalThis, name);
  const problem =
    isAbsent || text.includes("Do you need to")
      ? `there is no "${name}" here: the function has JavaScript itself (ES2023), without console, timers, network, files or modules`
      : clipped(text, LONGEST_ERROR);
  return problemAt(source, start, problem);
}

/** Characters of a type error: the types of a hostile draft can have any length. */
const LONGEST_ERROR = 500;

/** The draft with its function as a named export. */
export function exportedCode(declaration: ts.FunctionDeclaration): string {
  const source = declaration.getSourceFile();
  const { text } = source;
  const start = declaration.getStart(source);
  const own = source.statements.filter((statement) => isOwnExport(statement, declaration));
  const edits = [
    { start, end: declaration.end, text: `export ${plain(declaration)}` },
    ...own.map((statement) => ({
      start: statement.getStart(source),
      end: statement.end,
      text: "",
    })),
  ];
  return edits
    .toSorted((left, right) => right.start - left.start)
    .reduce((code, edit) => code.slice(0, edit.start) + edit.text + code.slice(edit.end), text)
    .trim();
}

/**
 * JavaScript without types and comments. The function is a global that takes its arguments in the order of the tool's
 * parameters.
 */
export function programOf(
  declaration: ts.FunctionDeclaration,
  { name, source }: FunctionTool,
): string {
  const program = ts.transpileModule(plain(declaration), {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      alwaysStrict: true,
      removeComments: true,
    },
  }).outputText;
  return source.callStyle === "positional"
    ? program
    : takingOneByOne(program, name, source.parameterNames);
}

/** Wraps a function that takes one object in one that takes the object's properties; missing ones stay missing. */
function takingOneByOne(program: string, name: string, parameterNames: readonly string[]): string {
  // Tool names have no `$`, so nothing is shadowed.
  return `var ${name} = (function () {
${program}
return (($fromEntries, $names) => (...$values) => ${name}(
  $fromEntries($names.map(($name, $at) => [$name, $values[$at]]).filter(([, $value]) => $value !== undefined))
))(Object.fromEntries, ${JSON.stringify(parameterNames)});
})();
`;
}

function plain(declaration: ts.FunctionDeclaration): string {
  const isAsync = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const { text } = declaration.getSourceFile();
  const start = declaration.modifiers?.end ?? declaration.getStart(declaration.getSourceFile());
  const body = text.slice(start, declaration.end).trimStart();
  return isAsync ? `async ${body}` : body;
}
