import type ts from "typescript";
import { declaredTypeNode } from "./objects.js";

/**
 * Whether a parameter is a `ToolContext` of any world. Only the name counts, so the import of the type need not
 * resolve.
 */
export function isContext(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  const typeSymbol: ts.Symbol | undefined = type.symbol;
  const written = declaredTypeNode(symbol)
    ?.getText()
    .replace(/<[\s\S]*$/, "");
  const names = [type.aliasSymbol?.name, typeSymbol?.name, written?.split(".").at(-1)];
  return names.includes("ToolContext");
}
