import ts from "typescript";
import type { Case, Expression, Pattern, Statement } from "../program.js";
import { readAssigned } from "./assignments.js";
import { readStop } from "./calls.js";
import { readExpression, readTold } from "./expressions.js";
import { held, nextTurn, readFunction } from "./functions.js";
import {
  announce,
  inScope,
  isAmbient,
  isConst,
  isVar,
  noteHeld,
  readPattern,
  seenIn,
} from "./names.js";
import {
  bareExpression,
  deeper,
  lineOf,
  notInLanguage,
  type ProgramReading,
  reads,
  refuse,
} from "./reading.js";

/** The statements of a block, with its own scope. Functions are there before the statements. */
export function readBlock(
  statements: readonly ts.Statement[],
  reading: ProgramReading,
): Statement[] {
  return inScope(reading, () => readStatements(statements, reading));
}

function readStatements(statements: readonly ts.Statement[], reading: ProgramReading): Statement[] {
  const effective = statements.filter((statement) => !isWithoutEffect(statement));
  announce(effective, reading);
  const read = effective.map((statement) => ({
    isFunction: ts.isFunctionDeclaration(statement),
    lines: readStatement(statement, reading),
  }));
  return [
    ...read.filter((one) => one.isFunction),
    ...read.filter((one) => !one.isFunction),
  ].flatMap(({ lines }) => lines);
}

/** A statement, or the block after `if` and `for`. */
function readBranch(node: ts.Statement, reading: ProgramReading): Statement[] {
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

function readOne(node: ts.Statement, reading: ProgramReading, label?: string): Statement[] {
  const line = lineOf(node, reading);
  if (ts.isVariableStatement(node)) return readDeclarations(node.declarationList, reading);
  if (ts.isExpressionStatement(node)) return readAction(node.expression, reading);
  if (ts.isFunctionDeclaration(node)) return readDeclaredFunction(node, reading);
  if (ts.isEnumDeclaration(node)) return readEnum(node, reading);
  if (ts.isBlock(node)) {
    const body = readBlock(node.statements, reading);
    return [{ line, kind: "block", body, ...labelled(label) }];
  }
  if (ts.isForOfStatement(node) || ts.isForInStatement(node)) return readEach(node, reading, label);
  if (ts.isForStatement(node) || ts.isWhileStatement(node) || ts.isDoStatement(node))
    return readLoop(node, reading, label);
  if (ts.isSwitchStatement(node)) return readSwitch(node, reading, label);
  if (ts.isLabeledStatement(node)) return readLabelled(node, reading);
  if (ts.isTryStatement(node)) return readTry(node, reading);
  if (ts.isReturnStatement(node)) return readReturn(node, reading);
  if (ts.isThrowStatement(node))
    return [{ line, kind: "throw", reason: readExpression(node.expression, reading) }];
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

function labelled(label: string | undefined): { label?: string } {
  return label === undefined ? {} : { label };
}

function readAction(node: ts.Expression, reading: ProgramReading): Statement[] {
  const bare = bareExpression(node);
  const line = lineOf(bare, reading);
  if (ts.isCallExpression(bare)) {
    const read = readStop(bare, reading);
    if (read) return read;
  }
  return [{ line, kind: "do", value: readExpression(node, reading) }];
}

function readDeclaredFunction(node: ts.FunctionDeclaration, reading: ProgramReading): Statement[] {
  const line = lineOf(node, reading);
  const name = node.name?.text ?? "";
  const value = readFunction(node, reading, { isInline: false });
  return [{ line, kind: "declare", pattern: { kind: "name", name }, value }];
}

/** An enum is an object of its members. */
function readEnum(node: ts.EnumDeclaration, reading: ProgramReading): Statement[] {
  const line = lineOf(node, reading);
  let next = 0;
  const fields = node.members.flatMap(({ name, initializer }) => {
    const key = ts.isIdentifier(name) || ts.isStringLiteralLike(name) ? name.text : "";
    const value: Expression = initializer
      ? readExpression(initializer, reading)
      : { line, kind: "literal", value: next };
    const number =
      value.kind === "literal" && typeof value.value === "number" ? value.value : undefined;
    if (number === undefined) return [{ key, value }];
    next = number + 1;
    const back: Expression = { line, kind: "literal", value: key };
    return [
      { key, value },
      { key: String(number), value: back },
    ];
  });
  const pattern = readPattern(node.name, "const", reading);
  return [{ line, kind: "declare", pattern, value: { line, kind: "record", fields } }];
}

/** `for (const item of list)`, and `for (const key in record)` over the keys. */
function readEach(
  node: ts.ForOfStatement | ts.ForInStatement,
  reading: ProgramReading,
  label: string | undefined,
): Statement[] {
  const { initializer, expression, statement } = node;
  const line = lineOf(node, reading);
  const value = readExpression(expression, reading);
  const list: Expression = ts.isForInStatement(node)
    ? { line, kind: "helper", name: "Object.keys", args: [value], turn: nextTurn(reading) }
    : value;
  const isRecords = ts.isForOfStatement(node) && seenIn(expression, reading).holds === "records";
  return inScope(reading, () => {
    const { pattern, first } = readItem(initializer, reading);
    if (isRecords) noteHeld(pattern, { holds: "record" }, reading);
    const body = [...first, ...readLoopBody(statement, reading, label)];
    return [{ line, kind: "each", pattern, list, body, ...labelled(label) }];
  });
}

/** What each item is given to: new names, or what is there already. */
function readItem(
  node: ts.ForInitializer,
  reading: ProgramReading,
): { pattern: Pattern; first: Statement[] } {
  const declaration = ts.isVariableDeclarationList(node) ? node.declarations[0] : undefined;
  if (declaration && ts.isVariableDeclarationList(node)) {
    const kind = isConst(node) ? "const" : "let";
    return { pattern: readPattern(declaration.name, kind, reading), first: [] };
  }
  const line = lineOf(node, reading);
  const value: Expression = { line, kind: "name", name: ITEM };
  const to = readAssigned(node as ts.Expression, reading);
  return {
    pattern: { kind: "name", name: ITEM },
    first: [{ line, kind: "do", value: { line, kind: "assign", to, operator: undefined, value } }],
  };
}

/** No name of a program. */
const ITEM = "$item";

function readLoopBody(
  node: ts.Statement,
  reading: ProgramReading,
  label: string | undefined,
): Statement[] {
  const { within } = reading;
  const labels = label === undefined ? within.labels : [...within.labels, label];
  return reads(reading, { ...within, isLoop: true, labels }, () => readBranch(node, reading));
}

function readLoop(
  node: ts.ForStatement | ts.WhileStatement | ts.DoStatement,
  reading: ProgramReading,
  label: string | undefined,
): Statement[] {
  const line = lineOf(node, reading);
  return inScope(reading, () => {
    const initial = ts.isForStatement(node) ? node.initializer : undefined;
    const first = initial ? readInitial(initial, reading) : [];
    const isDo = ts.isDoStatement(node);
    const condition = ts.isForStatement(node) ? node.condition : node.expression;
    const early = isDo ? readLoopBody(node.statement, reading, label) : [];
    const test = condition && readExpression(condition, reading);
    const incrementor = ts.isForStatement(node) ? node.incrementor : undefined;
    const update = incrementor && readExpression(incrementor, reading);
    const body = isDo ? early : readLoopBody(node.statement, reading, label);
    return [{ line, kind: "loop", first, test, update, body, isDo, ...labelled(label) }];
  });
}

function readInitial(node: ts.ForInitializer, reading: ProgramReading): Statement[] {
  if (ts.isVariableDeclarationList(node)) return readDeclarations(node, reading);
  return readAction(node, reading);
}

function readSwitch(
  node: ts.SwitchStatement,
  reading: ProgramReading,
  label: string | undefined,
): Statement[] {
  const line = lineOf(node, reading);
  const value = readExpression(node.expression, reading);
  const within = { ...reading.within, isSwitch: true };
  return inScope(reading, () => {
    const { clauses } = node.caseBlock;
    announce(
      clauses.flatMap((clause) => [...clause.statements]),
      reading,
    );
    const cases = clauses.map((clause): Case => {
      const test = ts.isCaseClause(clause) ? readExpression(clause.expression, reading) : undefined;
      const body = reads(reading, within, () =>
        clause.statements
          .filter((statement) => !isWithoutEffect(statement))
          .flatMap((statement) => readStatement(statement, reading)),
      );
      return { test, body };
    });
    return [{ line, kind: "switch", value, cases, ...labelled(label) }];
  });
}

function readLabelled(node: ts.LabeledStatement, reading: ProgramReading): Statement[] {
  const { text: label } = node.label;
  const { within } = reading;
  const isBlock = ts.isBlock(node.statement);
  const labels = isBlock ? [...within.labels, label] : within.labels;
  return reads(reading, { ...within, labels }, () => readOne(node.statement, reading, label));
}

/** Functions are there without being fetched, so imports do nothing; what they would have brought is unknown. */
function isWithoutEffect(node: ts.Statement): boolean {
  return (
    ts.isEmptyStatement(node) ||
    ts.isImportDeclaration(node) ||
    isRequire(node) ||
    (ts.isExportAssignment(node) && ts.isIdentifier(node.expression)) ||
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
  return list.declarations.flatMap((declaration): Statement[] => {
    const line = lineOf(declaration, reading);
    const { initializer, name, type } = declaration;
    const isCast =
      initializer && ts.isAsExpression(initializer) && !ts.isConstTypeReference(initializer.type);
    const value: Expression = initializer
      ? readExpression(initializer, reading)
      : { line, kind: "literal", value: undefined };
    if (isVar(list)) return initializer ? readVar(name, value, reading) : [];
    const held = initializer ? seenIn(initializer, reading) : {};
    const pattern = readPattern(name, kind, reading);
    noteHeld(pattern, held, reading);
    return [{ line, kind: "declare", pattern, value, ...((type || isCast) && { isTyped: true }) }];
  });
}

/** The names of `var` are declared at the start of the function. */
function readVar(name: ts.BindingName, value: Expression, reading: ProgramReading): Statement[] {
  const line = lineOf(name, reading);
  const to = inScope(reading, () => readPattern(name, "let", reading));
  return [{ line, kind: "do", value: { line, kind: "assign", to, operator: undefined, value } }];
}

function readTry(node: ts.TryStatement, reading: ProgramReading): Statement[] {
  const { catchClause, finallyBlock } = node;
  const line = lineOf(node, reading);
  const body = readBlock(node.tryBlock.statements, reading);
  const name = catchClause?.variableDeclaration?.name;
  const caught = catchClause
    ? inScope(reading, () => {
        const error = name && readPattern(name, "let", reading);
        return { error, rescue: readBlock(catchClause.block.statements, reading) };
      })
    : { error: undefined, rescue: undefined };
  const after = finallyBlock && readBlock(finallyBlock.statements, reading);
  return [{ line, kind: "try", body, ...caught, after }];
}

function readReturn(node: ts.ReturnStatement, reading: ProgramReading): Statement[] {
  const { expression } = node;
  const { body, isLoop } = reading.within;
  const line = lineOf(node, reading);
  const stopped = expression && readStop(expression, reading);
  if (stopped) return stopped;
  if (body === "program" && !expression && !reading.isLogging) {
    const problem = `return gives no answer${isLoop ? "; write continue or break, or" : ";"} return a template string that answers the request`;
    refuse(node, "language", problem, reading);
  }
  const value = expression && readTold(expression, reading);
  const isInner = value && body === "function";
  return [{ line, kind: "return", value: isInner ? held(value, expression) : value }];
}

function readJump(
  node: ts.ContinueStatement | ts.BreakStatement,
  reading: ProgramReading,
): Statement[] {
  const { isLoop, isSwitch, labels } = reading.within;
  const line = lineOf(node, reading);
  const isBreak = ts.isBreakStatement(node);
  if (node.label && !labels.includes(node.label.text)) {
    notInLanguage(node, reading, `no loop around it is called ${node.label.text}`);
  } else if (!node.label && !isLoop && !(isBreak && isSwitch)) {
    notInLanguage(node, reading, "it stands in no loop; leave it out");
  }
  const kind = isBreak ? "break" : "continue";
  return [{ line, kind, ...labelled(node.label?.text) }];
}
