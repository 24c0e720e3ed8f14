import ts from "typescript";
import type { FunctionTool } from "../sources/functions.js";
import { isOwnExport } from "./draftForm.js";

/** The draft with its function as a named export. */
export function exportedCode(declaration: ts.FunctionDeclaration): string {
  const source = declaration.getSourceFile();
  const { text } = source;
  const start = declaration.getStart(source);
  const own = source.statements.filter((statement) => isOwnExport(statement, declaration));
  const edits = [
    { start, end: start + written(declaration).length, text: `export ${plain(declaration)}` },
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
export function programOf({
  declaration,
  tool: { name, source },
}: {
  declaration: ts.FunctionDeclaration;
  tool: FunctionTool;
}): string {
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

function written(declaration: ts.FunctionDeclaration): string {
  return declaration.getText(declaration.getSourceFile());
}

/** The declaration without `export` and `default`. */
function plain(declaration: ts.FunctionDeclaration): string {
  const isAsync = declaration.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.AsyncKeyword);
  const { text } = declaration.getSourceFile();
  const start = declaration.modifiers?.end ?? declaration.getStart(declaration.getSourceFile());
  const body = text.slice(start, declaration.end).trimStart();
  return isAsync ? `async ${body}` : body;
}
