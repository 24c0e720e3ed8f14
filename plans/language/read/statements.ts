import ts from "typescript";
import type { Expression, Statement } from "../program.js";
import { readAction } from "./actions.js";
import { readStop } from "./calls.js";
import { readExpression } from "./expressions.js";
import { readEach } from "./functions.js";
import { announce, inScope, isAmbient, isConst, noteHeld, readPattern, seenIn } from "./names.js";
import {
  type ProgramReading,
  bareExpression,
  deeper,
  lineOf,
  refuse,
  notInLanguage,
} from "./reading.js";

/** The statements of a block, with its own scope. */
export function readBlock(
  statements: readonly ts.Statement[],
  reading: ProgramReading,
): Statement[] {
  return inScope(reading, () => {
    const effective = statements.filter((statement) => !isWithoutEffect(statement));
    announce(effective, reading);
    return effective.flatMap((statement) => readStatement(statement, reading));
  });
}

/** A statement, or the block after `if` and `for`. */
export function readBranch(node: ts.Statement, reading: ProgramReading): Statement[] {
  return readBlock(ts.isBlock(node) ? node.statements : [node], reading);
}

function readStatement(node: ts.Statement, reading: ProgramReading): Statement[] {
  return deeper(
    node,
    reading,
    () => readOne(node, reading),
    () => [],
  );
}

function readOne(node: ts.Statement, reading: ProgramReading): Statement[] {
  const line = lineOf(node, reading);
  if (ts.isVariableStatement(node)) return readDeclarations(node.declarationList, reading);
  if (ts.isExpressionStatement(node)) return readAction(node.expression, reading);
  if (ts.isBlock(node)) return [{ line, kind: "block", body: readBlock(node.statements, reading) }];
  if (ts.isForOfStatement(node)) return readEach(node, reading);
  if (ts.isTryStatement(node)) return readTry(node, reading);
  if (ts.isReturnStatement(node)) return readReturn(node, reading);
  if (ts.isThrowStatement(node)) {
    return [{ line, kind: "throw", reason: readReason(node.expression, reading) }];
  }
  if (ts.isContinueStatement(node) || ts.isBreakStatement(node)) return readJump(node, reading);
  if (ts.isIfStatement(node)) {
    const test = readExpression(node.expression, reading);
    const then = readBranch(node.thenStatement, reading);
    const { elseStatement } = node;
    const otherwise = elseStatement ? readBranch(elseStatement, reading) : [];
    return [{ line, kind: "if", test, then, otherwise }];
  }
  notInLanguage(node, reading);
  return [];
}

/** Functions are there without being fetched, so imports do nothing; what they would have brought is unknown. */
function isWithoutEffect(node: ts.Statement): boolean {
  return (
    ts.isEmptyStatement(node) ||
    ts.isImportDeclaration(node) ||
    isRequire(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    isAmbient(node) ||
    (ts.isFunctionDeclaration(node) && !node.body) ||
    isEmptyExport(node)
  );
}

function isRequire(node: ts.Statement): boolean {
  if (!ts.isVariableStatement(node)) return false;
  return node.declarationList.declarations.every(({ initializer }) => {
    const called = initializer && bareExpression(initializer);
    return (
      called !== undefined &&
      ts.isCallExpression(called) &&
      ts.isIdentifier(called.expression) &&
      called.expression.text === "require"
    );
  });
}

function isEmptyExport(node: ts.Statement): boolean {
  if (!ts.isExportDeclaration(node) || node.moduleSpecifier) return false;
  const { exportClause } = node;
  return exportClause !== undefined && ts.isNamedExports(exportClause)
    ? exportClause.elements.length === 0
    : false;
}

function readDeclarations(list: ts.VariableDeclarationList, reading: ProgramReading): Statement[] {
  const kind = isConst(list) ? "const" : "let";
  return list.declarations.map((declaration): Statement => {
    const line = lineOf(declaration, reading);
    const { initializer } = declaration;
    const value: Expression = initializer
      ? readExpression(initializer, reading)
      : { line, kind: "literal", value: undefined };
    const held = initializer ? seenIn(initializer, reading) : {};
    const pattern = readPattern(declaration.name, kind, reading);
    noteHeld(pattern, held, reading);
    return { line, kind: "declare", pattern, value };
  });
}

function readTry(node: ts.TryStatement, reading: ProgramReading): Statement[] {
  const { catchClause, finallyBlock } = node;
  if (finallyBlock) notInLanguage(finallyBlock, reading, "write its lines behind the try");
  const body = readBlock(node.tryBlock.statements, reading);
  if (!catchClause) return [];
  const line = lineOf(node, reading);
  const name = catchClause.variableDeclaration?.name;
  if (name && !ts.isIdentifier(name)) {
    notInLanguage(name, reading, "write catch (error), and error.message");
    return [];
  }
  return inScope(reading, () => {
    if (name) {
      const known = { kind: "let", line: lineOf(name, reading), isDeclared: true } as const;
      reading.scope.locals.set(name.text, { ...known, holds: "error" });
    }
    const rescue = readBlock(catchClause.block.statements, reading);
    return [{ line, kind: "try", body, error: name?.text, rescue }];
  });
}

function readReturn(node: ts.ReturnStatement, reading: ProgramReading): Statement[] {
  const { expression } = node;
  const { body, isLoop } = reading.within;
  const line = lineOf(node, reading);
  const stopped = expression && readStop(expression, reading);
  if (stopped) return stopped;
  if (body === "item") return readNextItem(node, reading);
  if (body === "program" && !expression) {
    const problem = `return gives no answer${isLoop ? "; write continue or break, or" : ";"} return a template string that answers the request`;
    refuse(node, "language", problem, reading);
  }
  return [{ line, kind: "return", value: expression && readExpression(expression, reading) }];
}

/** `return` in a `forEach` continues with the next item. */
function readNextItem(node: ts.ReturnStatement, reading: ProgramReading): Statement[] {
  const line = lineOf(node, reading);
  if (reading.within.isLoop) {
    notInLanguage(node, reading, "write for (const item of list) instead of forEach, and continue");
    return [];
  }
  const done = node.expression ? readAction(node.expression, reading) : [];
  return [...done, { line, kind: "continue" }];
}

function readJump(
  node: ts.ContinueStatement | ts.BreakStatement,
  reading: ProgramReading,
): Statement[] {
  const { body, isLoop } = reading.within;
  const line = lineOf(node, reading);
  if (node.label) notInLanguage(node, reading, "write it without a label");
  else if (!isLoop && body !== "item")
    notInLanguage(node, reading, "it stands in no loop; leave it out");
  return [{ line, kind: ts.isContinueStatement(node) ? "continue" : "break" }];
}

/** Why a program ends unsolved: the text of `new Error(text)`, or the message of a caught error. */
function readReason(node: ts.Expression, reading: ProgramReading): Expression {
  const bare = bareExpression(node);
  const line = lineOf(node, reading);
  if ((ts.isNewExpression(bare) || ts.isCallExpression(bare)) && isError(bare.expression)) {
    const text = bare.arguments?.[0];
    return text ? readExpression(text, reading) : { line, kind: "literal", value: "" };
  }
  const reason = readExpression(bare, reading);
  if (seenIn(bare, reading).holds !== "error") return reason;
  return { line, kind: "field", of: reason, key: "message", optional: false };
}

function isError(node: ts.Expression): boolean {
  return ts.isIdentifier(node) && node.text.endsWith("Error");
}
