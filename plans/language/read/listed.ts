import ts from "typescript";
import { memberOf } from "../../../common/codeNames.js";
import { isSameName } from "../../../common/nearNames.js";
import { isFunctionNode } from "./names.js";
import { bareExpression, type ProgramReading, refuse } from "./reading.js";

/**
 * Refuses functions on offer that a program writes itself, in any spelling and as a function, a value or a method: such a
 * program would call nothing.
 */
export function refuseListed(source: ts.SourceFile, reading: ProgramReading): void {
  const listed = [...(reading.functions?.keys() ?? [])];
  const visit = (node: ts.Node): void => {
    for (const own of ownFunctions(node)) {
      const name = listed.find((one) => isWritten(own, one, reading));
      if (name !== undefined) refuseOne(name, own.node, reading);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
}

function refuseOne(name: string, node: ts.Node, reading: ProgramReading): void {
  const parameters = reading.functions?.get(name) ?? [];
  const given = parameters.length > 0 ? `{ ${parameters.join(", ")} }` : "";
  const problem = `${name} is a function that is there already; call it, do not write it: await ${name}(${given})`;
  refuse(node, "language", problem, reading);
}

/** A function that a program writes, by the name that it has there: `commit`, or `git.commit` in an object. */
interface OwnFunction {
  name: string;
  node: ts.FunctionDeclaration | ts.FunctionExpression | ts.ArrowFunction | ts.MethodDeclaration;
}

/** The functions that a declaration or an assignment gives names to. */
function ownFunctions(node: ts.Node): OwnFunction[] {
  const named = namedBy(node);
  return named ? functionsIn(...named) : [];
}

function namedBy(node: ts.Node): [name: string, value: ts.Node] | undefined {
  if (ts.isFunctionDeclaration(node) && node.name && node.body) return [node.name.text, node];
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer)
    return [node.name.text, bareExpression(node.initializer)];
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.EqualsToken)
    return undefined;
  const { left, right } = node;
  if (ts.isIdentifier(left)) return [left.text, bareExpression(right)];
  if (!ts.isPropertyAccessExpression(left) || !ts.isIdentifier(left.expression)) return undefined;
  return [`${left.expression.text}.${left.name.text}`, bareExpression(right)];
}

function functionsIn(name: string, value: ts.Node): OwnFunction[] {
  if (ts.isFunctionDeclaration(value) || (ts.isExpression(value) && isFunctionNode(value)))
    return [{ name, node: value }];
  if (!ts.isObjectLiteralExpression(value)) return [];
  return value.properties.flatMap((property) => {
    const { name: key } = property;
    if (!key || !(ts.isIdentifier(key) || ts.isStringLiteralLike(key))) return [];
    const full = `${name}.${key.text}`;
    if (ts.isMethodDeclaration(property)) return [{ name: full, node: property }];
    if (!ts.isPropertyAssignment(property)) return [];
    return functionsIn(full, bareExpression(property.initializer));
  });
}

/**
 * Whether a program's own function stands for one on offer: by the same name, or by one in another spelling or with
 * another group, or none, if it takes the same arguments and does not call it.
 */
function isWritten({ name, node }: OwnFunction, listed: string, reading: ProgramReading): boolean {
  if (name === listed) return true;
  if (!isSameName(name, listed) && !isSameName(memberOf(name), memberOf(listed))) return false;
  const known = reading.functions?.get(listed) ?? [];
  const taken = node.parameters.flatMap(namesTaken);
  const isSame =
    taken.length > 0 && taken.every((one) => known.some((key) => isSameName(key, one)));
  return isSame && !node.body?.getText(reading.source).includes(`${listed}(`);
}

/** `a` of `(a)`, of `({ a })` and of `(args: { a: number })`. */
function namesTaken({ name, type }: ts.ParameterDeclaration): string[] {
  const members = type && ts.isTypeLiteralNode(type) ? type.members : [];
  const parts = ts.isObjectBindingPattern(name) ? name.elements : members;
  const names =
    parts.length > 0
      ? parts.map((part) => ("propertyName" in part && part.propertyName) || part.name)
      : [name];
  return names.flatMap((one) => (one && ts.isIdentifier(one) ? one.text : []));
}
