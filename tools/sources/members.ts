import ts from "typescript";
import { bareExpression } from "./defaults.js";
import { arrayTypeOf, isToolShaped } from "./exportShapes.js";
import { isOptional } from "./parametersSchema.js";
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

/** Reports why a part of an export yields no tools, and whether running the file may show some in it. */
export type Report = (problem: string, kit?: "likely" | "possible") => void;

/** How deep objects in objects are followed. */
const DEEPEST = 4;

/**
 * The functions in an exported value: members of an object or a namespace, up to four levels deep; static methods of a
 * class, and methods of its instances if its constructor needs no arguments; named functions in an array. Only those
 * declared in the project's own files count, not those of a `Map` or of a package's client.
 */
export function membersOf(place: Member, source: SourceProgram, report: Report): Member[] {
  const { type } = place;
  if (type.getConstructSignatures().length > 0) return classMembers(place, source, report);
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
  const declarations = symbol.declarations ?? [];
  const isOwn = declarations.some((node) => files.includes(node.getSourceFile().fileName));
  return isOwn && !(symbol.flags & ts.SymbolFlags.Prototype) && !declarations.some(isHidden);
}

const HIDDEN = ts.ModifierFlags.Private | ts.ModifierFlags.Protected;

function isHidden(node: ts.Declaration): boolean {
  const name = ts.getNameOfDeclaration(node);
  const isPrivate = name !== undefined && (ts.isPrivateIdentifier(name) || isSymbolName(name));
  return isPrivate || (ts.getCombinedModifierFlags(node) & HIDDEN) !== 0;
}

function isSymbolName(name: ts.DeclarationName): boolean {
  return ts.isComputedPropertyName(name) && !ts.isStringLiteralLike(name.expression);
}

function classMembers(place: Member, source: SourceProgram, report: Report): Member[] {
  const { type } = place;
  const statics = objectMembers(place, source);
  const [construct, ...others] = type.getConstructSignatures();
  const instance = construct?.getReturnType();
  if (construct === undefined || instance === undefined) return statics;
  const shown = place.name ?? "default";
  if (isToolShaped(instance, source.checker)) {
    report(
      `class "${shown}" makes tools but is not one; export an instance: export const tool = new …`,
    );
    return statics;
  }
  const methods = objectMembers({ ...place, type: instance }, source);
  const isFree = [construct, ...others].some(({ parameters }) =>
    parameters.every((each) => isOptional(each, source.checker)),
  );
  if (methods.length === 0 || (isFree && !isAbstract(place.symbol)))
    return [...statics, ...methods];
  const why = isFree ? "is abstract" : "has a constructor that needs arguments";
  report(`class "${shown}" ${why}, so its methods cannot be called; export an instance of it`);
  return statics;
}

function isAbstract({ declarations = [] }: ts.Symbol): boolean {
  return declarations.some(
    (node) => (ts.getCombinedModifierFlags(node) & ts.ModifierFlags.Abstract) !== 0,
  );
}

/** Functions in an array are called by their own names, which only a literal shows. */
function arrayMembers(place: Member, source: SourceProgram, report: Report): Member[] {
  const { checker } = source;
  const shown = place.name ?? "default";
  const inside = arrayTypeOf(place.type, checker);
  const elements = elementsOf(place.symbol) ?? [];
  const functions = elements
    .map((element) => ({ element, type: checker.getTypeAtLocation(element) }))
    .filter(({ type }) => type.getCallSignatures().length > 0);
  const holdsFunctions = [inside, ...unionOf(inside)].some(
    (each) => each !== undefined && each.getCallSignatures().length > 0,
  );
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
        `"${shown}" contains a function without a name: ${oneLine(element.getText())}; give it one`,
      );
      return [];
    }
    return [{ steps: [...place.steps, name.text], name: name.text, symbol, type }];
  });
}

function unionOf(type: ts.Type | undefined): readonly ts.Type[] {
  return type?.isUnion() ? type.types : [];
}

/** The elements of an array literal. */
function elementsOf({ declarations = [] }: ts.Symbol): readonly ts.Expression[] | undefined {
  for (const node of declarations) {
    const written = ts.isVariableDeclaration(node)
      ? node.initializer
      : ts.isExportAssignment(node)
        ? node.expression
        : undefined;
    const bare = written && bareExpression(written);
    if (bare !== undefined && ts.isArrayLiteralExpression(bare)) return bare.elements;
  }
  return undefined;
}

/** The name that a function has when it runs. */
function functionName(node: ts.Node): ts.Identifier | undefined {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isFunctionExpression(node);
  if (isNamed && node.name !== undefined) return node.name;
  const { parent } = node;
  if (!ts.isVariableDeclaration(parent)) return undefined;
  return ts.isIdentifier(parent.name) ? parent.name : undefined;
}

/** Enough of a function's text to find it. */
function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}
