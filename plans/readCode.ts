import ts from "typescript";
import { codeTools } from "./code/calls.js";
import {
  ALLOWED,
  type CodeReading,
  UnreadableCode,
  bare,
  notAllowed,
  readValue,
} from "./code/values.js";
import type { CheckedPlan, PlanTool, PlanValue } from "./plan.js";
import { referencesIn } from "./references.js";

/**
 * The plan in code that a model wrote ("AI Agent 007", tools shown as functions), bare or in the last fence:
 * calls of tools with literals and earlier results, assigned to names. The code is parsed, never run.
 * Arithmetic and comparisons of known values are evaluated; those of results become calls of equivalent tools.
 * Loops, conditions and functions are refused. `verifyPlan` checks whether the calls fit the tools. Returned
 * values are ignored, except for calls in them.
 *
 * @param tools their names for models become ids
 * @returns an empty plan with an issue `unreadable` if the code has anything else
 */
export function readCode(text: string, tools: PlanTool[]): CheckedPlan {
  const code = codeIn(text);
  try {
    const source = ts.createSourceFile("plan.ts", code, ts.ScriptTarget.Latest);
    const syntax = syntaxProblem(code);
    if (syntax) return unreadable(syntax);
    const reading: CodeReading = { source, tools: codeTools(tools), steps: [], values: new Map() };
    readStatements(reading);
    return { plan: { steps: reading.steps, answer: "", lacking: [] }, repairs: [], issues: [] };
  } catch (error) {
    if (error instanceof UnreadableCode) return unreadable(error.message);
    // Endlessly nested brackets exhaust the parser's stack.
    if (error instanceof RangeError) return unreadable("the code is nested too deeply");
    throw error;
  }
}

function unreadable(problem: string): CheckedPlan {
  return {
    plan: { steps: [], answer: "", lacking: [] },
    repairs: [],
    issues: [{ kind: "unreadable", problem }],
  };
}

/** The content of the last non-empty fence; the whole text if there is none. */
function codeIn(text: string): string {
  const fences = [...text.matchAll(/```[^\n]*\n([\s\S]*?)(?:```|$)/g)].map(([, code = ""]) => code);
  return fences.findLast((code) => code.trim() !== "") ?? (fences.length > 0 ? "" : text);
}

function syntaxProblem(code: string): string | undefined {
  const { diagnostics = [] } = ts.transpileModule(code, {
    fileName: "plan.ts",
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.Latest },
  });
  const [first] = diagnostics;
  if (!first) return undefined;
  const message = ts.flattenDiagnosticMessageText(first.messageText, " ");
  const line = lineAt(code.slice(0, first.start ?? 0));
  return `line ${line}: this is no code (${message}); ${ALLOWED}`;
}

function lineAt(before: string): number {
  return before.split("\n").length;
}

function readStatements(reading: CodeReading): void {
  const { source } = reading;
  const { statements } = source;
  for (const [at, statement] of statements.entries()) {
    try {
      readStatement({ statement, isLast: at === statements.length - 1, reading });
    } catch (error) {
      if (!(error instanceof UnreadableCode)) throw error;
      const line = lineAt(source.text.slice(0, error.node.getStart(source)));
      throw new UnreadableCode(`line ${line}: ${error.message}`, error.node);
    }
  }
}

function readStatement(options: {
  statement: ts.Statement;
  isLast: boolean;
  reading: CodeReading;
}): void {
  const { statement, isLast, reading } = options;
  if (ts.isEmptyStatement(statement)) return;
  if (ts.isVariableStatement(statement)) {
    for (const declaration of statement.declarationList.declarations) declare(declaration, reading);
  } else if (ts.isExpressionStatement(statement)) {
    readExpression({ statement, isLast, reading });
  } else if (ts.isReturnStatement(statement) && isLast) {
    if (statement.expression) readValue(statement.expression, reading);
  } else throw notAllowed(statement, reading);
}

function declare(declaration: ts.VariableDeclaration, reading: CodeReading): void {
  const { name, initializer } = declaration;
  if (!ts.isIdentifier(name) || !initializer) throw notAllowed(declaration, reading);
  reading.values.set(name.text, readValue(initializer, reading));
}

/** A call, an assignment, or on the last line the result. */
function readExpression(options: {
  statement: ts.ExpressionStatement;
  isLast: boolean;
  reading: CodeReading;
}): void {
  const { statement, isLast, reading } = options;
  const node = bare(statement.expression);
  const isAssignment =
    ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  if (isAssignment && ts.isIdentifier(node.left)) {
    reading.values.set(node.left.text, readValue(node.right, reading));
    return;
  }
  const value = readValue(node, reading);
  if (ts.isCallExpression(node)) return;
  // Data without references is a plan in another form, or computed by the model itself.
  if (!isLast || !(refers(value) || isNothing(value))) throw notAllowed(node, reading);
}

function refers(value: PlanValue | undefined): boolean {
  return value !== undefined && referencesIn(value).length > 0;
}

/** `undefined`, `null` or `[]`: how a model says that nothing can be done. */
function isNothing(value: PlanValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
