import ts from "typescript";
import { hasComment } from "./docs.js";
import type { SourceProgram } from "./sourceProgram.js";

/** An exported function of a file; it may be declared elsewhere. */
export interface ExportedFunction {
  /** The name under which the entry file exports it; `default` for a default export. */
  exportName: string;
  /** Its name in the source; undefined for an unnamed default export. */
  name: string | undefined;
  /** Where to look for its doc comments; several for overloads. */
  declarations: readonly [ts.Node, ...ts.Node[]];
  signatures: readonly [ts.Signature, ...ts.Signature[]];
}

/**
 * The functions that the entry exports, itself or from other files, in the order of the source. Types, classes,
 * constants and namespaces are left out, and so is a default export that is also exported by name.
 */
export function exportedFunctions({ checker, entry, files }: SourceProgram): ExportedFunction[] {
  const module = checker.getSymbolAtLocation(entry);
  if (module === undefined) return [];
  const exported = checker.getExportsOfModule(module).map((symbol) => ({
    symbol,
    target: symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
  }));
  const byName = new Set(
    exported.filter(({ symbol }) => symbol.name !== "default").map(({ target }) => target),
  );
  return exported
    .filter(({ symbol, target }) => symbol.name !== "default" || !byName.has(target))
    .flatMap(({ symbol, target }) => exportedFunction({ symbol, target, checker }) ?? [])
    .toSorted((left, right) => inSourceOrder({ left, right, files }));
}

/** `Property` is an export of CommonJS: `exports.add = …`. */
const FUNCTION_OR_VALUE =
  ts.SymbolFlags.Function | ts.SymbolFlags.Variable | ts.SymbolFlags.Property;

function exportedFunction({
  symbol,
  target,
  checker,
}: {
  symbol: ts.Symbol;
  target: ts.Symbol;
  checker: ts.TypeChecker;
}): ExportedFunction | undefined {
  const isValue = (target.flags & FUNCTION_OR_VALUE) !== 0;
  const isDefault = symbol.name === "default";
  if (!isValue && !isDefault) return undefined;
  const [first, ...others] = checker.getTypeOfSymbol(target).getCallSignatures();
  const [declaration, ...more] = documented(target, first);
  if (first === undefined || declaration === undefined) return undefined;
  return {
    exportName: symbol.name,
    name: isDefault ? declaredName(target) : symbol.name,
    declarations: [declaration, ...more],
    signatures: [first, ...others],
  };
}

/** The checker lists declared functions before constants, and re-exports after both. */
function inSourceOrder({
  left,
  right,
  files,
}: {
  left: ExportedFunction;
  right: ExportedFunction;
  files: readonly string[];
}): number {
  const [first] = left.declarations;
  const [second] = right.declarations;
  const fileOf = (node: ts.Node): number => files.indexOf(node.getSourceFile().fileName);
  return fileOf(first) - fileOf(second) || first.pos - second.pos;
}

/** The comment is above the export, or else above the function it names. */
function documented(target: ts.Symbol, signature: ts.Signature | undefined): ts.Node[] {
  const own = target.declarations ?? [];
  const behind: ts.Node | undefined = signature?.declaration;
  return own.some(hasComment) || behind === undefined ? own : [...own, behind];
}

function declaredName(target: ts.Symbol): string | undefined {
  if (target.name !== "default") return target.name;
  const names = (target.declarations ?? []).map((node) => ts.getNameOfDeclaration(node));
  return names.find((name) => name !== undefined && ts.isIdentifier(name))?.getText();
}
