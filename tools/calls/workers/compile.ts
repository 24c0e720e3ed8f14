import ts from "typescript";

/** Whether a file of TypeScript or JavaScript imports or exports something. */
export function isModule(file: string, text: string): boolean {
  return ts.isExternalModule(ts.createSourceFile(file, text, ts.ScriptTarget.Latest));
}

/**
 * Compiles one file without looking at what it imports.
 *
 * @throws SyntaxError with file and line for text that is not TypeScript
 */
export function compile(options: {
  file: string;
  text: string;
  format: "module" | "commonjs";
}): string {
  const { file, text, format } = options;
  const { outputText, diagnostics = [] } = ts.transpileModule(text, {
    fileName: file,
    reportDiagnostics: true,
    compilerOptions: {
      module: format === "module" ? ts.ModuleKind.ESNext : ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      jsx: ts.JsxEmit.React,
      esModuleInterop: true,
      inlineSourceMap: true,
    },
  });
  const [problem] = diagnostics;
  if (problem === undefined) return outputText;
  const lines = text.slice(0, problem.start).split("\n");
  const message = ts.flattenDiagnosticMessageText(problem.messageText, " ");
  throw new SyntaxError(`${file}:${lines.length}: ${message}`);
}
