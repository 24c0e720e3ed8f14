import ts from "typescript";
import { clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { bareExpression } from "./defaults.js";
import type { SourceProgram } from "./sourceProgram.js";

/** An exported value, or a member of one. */
export interface Member {
  /** The path to it in the exports. */
  steps: string[];
  /** The name of a tool made of it: "add", "api.add"; undefined without a name. */
  name: string | undefined;
  symbol: ts.Symbol;
  type: ts.Type;
}

/** Reports why a part of an export yields no tools, and whether running the file may show that it is one. */
export type Report = (problem: string, mayBeTools?: boolean) => void;

const DEEPEST = 4;

/** Whether values of this type have the fields of a LangChain tool. */
export function isToolShaped(type: ts.Type, checker: ts.TypeChecker): boolean {
  return ["schema", "invoke"].every((name) => checker.getPropertyOfType(type, name));
}

/** The type of the members of an array or a tuple; undefined for anything else. */
function arrayTypeOf(type: ts.Type, checker: ts.TypeChecker): ts.Type | undefined {
  if (!checker.isArrayLikeType(type)) return undefined;
  return checker.getIndexTypeOfType(type, ts.IndexKind.Number);
}

/**
 * The functions in an exported value: members of an object, an instance of a class or a namespace, up to four levels
 * deep; named functions in an array. Only those declared in the project's own files count, not those of a `Map` or of a
 * package's client.
 */
export function membersOf(place: Member, source: SourceProgram, report: Report): Member[] {
  const { type } = place;
  const [construct] = type.getConstructSignatures();
  if (construct !== undefined) {
    const instance = { ...place, type: construct.getReturnType() };
    const methods = [place, instance].flatMap((each) => objectMembers(each, source));
    if (methods.length > 0) {
      report(
        `class "${place.name ?? "default"}" is not an object; export an instance of it: new …`,
      );
    }
    return [];
  }
  if (arrayTypeOf(type, source.checker) !== undefined) return arrayMembers(place, source, report);
  return objectMembers(place, source);
}

function objectMembers(place: Member, source: SourceProgram): Member[] {
  const { checker, files } = source;
  const { type, steps } = place;
  if (steps.length > DEEPEST || type.flags & ts.TypeFlags.StringLike) return [];
  return checker.getPropertiesOfType(type).flatMap((symbol) => {
    if (!isReadable(symbol, files)) return [];
    const member = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
    const within: Member = {
      steps: [...steps, symbol.name],
      // A default export may have no name; its members then go by their own.
      name: place.name === undefined ? symbol.name : `${place.name}.${symbol.name}`,
      symbol,
      type: member,
    };
    if (member.getCallSignatures().length > 0) return [within];
    const isOther = isToolShaped(member, checker) || member.getConstructSignatures().length > 0;
    const isList = arrayTypeOf(member, checker) !== undefined;
    return isOther || isList ? [] : objectMembers(within, source);
  });
}

/** Private members and methods of packages are not to be called. */
function isReadable(symbol: ts.Symbol, files: readonly string[]): boolean {
  const isPrototype = (symbol.flags & ts.SymbolFlags.Prototype) !== 0;
  const { declarations = [] } = symbol;
  const isOwn = declarations.some((node) => files.includes(node.getSourceFile().fileName));
  return isOwn && !isPrototype && !declarations.some(isHidden);
}

function isHidden(node: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(node);
  if (name !== undefined && ts.isPrivateIdentifier(name)) return true;
  // A method under a symbol, as [Symbol.iterator].
  if (name && ts.isComputedPropertyName(name) && !ts.isStringLiteralLike(name.expression))
    return true;
  const hidden = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;
  return (ts.getCombinedModifierFlags(node) & hidden) !== 0;
}

/** Functions in an array are called by their own names, which only a literal shows. */
function arrayMembers(place: Member, { checker }: SourceProgram, report: Report): Member[] {
  const shown = place.name ?? "default";
  const inside = arrayTypeOf(place.type, checker);
  const elements = elementsOf(place.symbol);
  const functions = elements
    .map((element) => ({ element, type: checker.getTypeAtLocation(element) }))
    .filter(({ type }) => type.getCallSignatures().length > 0);
  const kinds = inside?.isUnion() ? inside.types : [inside];
  const holdsFunctions = kinds.some((each) => each && each.getCallSignatures().length > 0);
  if (functions.length === 0 && holdsFunctions) {
    report(
      `the source does not show the names of the functions in "${shown}"; export them by name`,
    );
  }
  return functions.flatMap(({ element, type }) => {
    const declaration: ts.Node | undefined = type.getCallSignatures()[0]?.declaration;
    const name = declaration && functionName(declaration);
    const symbol = name && checker.getSymbolAtLocation(name);
    if (name === undefined || !symbol) {
      report(
        `"${shown}" contains a function without a name: ${clipped(oneLine(element.getText()), 40)}; give it one`,
      );
      return [];
    }
    return [{ steps: [...place.steps, name.text], name: name.text, symbol, type }];
  });
}

/** The elements of an array literal; none of any other value. */
function elementsOf({ declarations = [] }: ts.Symbol): readonly ts.Expression[] {
  return declarations.flatMap((node): readonly ts.Expression[] => {
    const written = ts.isVariableDeclaration(node)
      ? node.initializer
      : ts.isExportAssignment(node)
        ? node.expression
        : undefined;
    const bare = written && bareExpression(written);
    return bare !== undefined && ts.isArrayLiteralExpression(bare) ? bare.elements : [];
  });
}

/** The name that a function has when it runs. */
function functionName(node: ts.Node): ts.Identifier | undefined {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node);
  if (isNamed && node.name !== undefined) return node.name;
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent)) return undefined;
  return ts.isIdentifier(parent.name) ? parent.name : undefined;
}
