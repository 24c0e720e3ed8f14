import ts from "typescript";
import { codeTools } from "./codeCalls.js";
import {
  ALLOWED,
  type CodeReading,
  UnreadableCode,
  bare,
  notAllowed,
  readValue,
} from "./codeValues.js";
import type { CheckedPlan, PlanTool, PlanValue } from "./plan.js";
import { referencesIn } from "./references.js";

/**
 * The plan in code that a model wrote ("AI Agent 007", tools shown as functions), bare or in a fence, of
 * several the last: calls of tools with literals and earlier results, assigned to names. It is parsed, and never
 * run; arithmetic and comparison of known values are worked out, and those of results are calls of the tools that
 * do them. What a plan cannot say, such as loops, conditions and functions, is not read. Whether the calls fit
 * the tools is for `verifyPlan` to say. What the code returns is left alone, but for calls in it.
 *
 * @param tools names by which models call them become their ids
 * @returns an empty plan with an issue `unreadable` where something else is in the code
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
    // Brackets in brackets without end exhaust the stack of any parser.
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

/** What stands in the last fence that is not empty; the whole text where there is none. */
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

/** A call, an assignment, or in the last line what the code comes to. */
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
  // Data that refers to nothing is a plan in another form, or what the model has computed itself.
  if (!isLast || !(refers(value) || isNothing(value))) throw notAllowed(node, reading);
}

function refers(value: PlanValue | undefined): boolean {
  return value !== undefined && referencesIn(value).length > 0;
}

/** `undefined`, `null` or `[]`: how a model says that nothing can be done. */
function isNothing(value: PlanValue | undefined): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0);
}
