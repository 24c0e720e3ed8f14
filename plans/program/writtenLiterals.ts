import ts from "typescript";
import type { PlanValue } from "../plan.js";

/** The fixed value of an expression: a literal or a named constant. Undefined for anything else. */
export function writtenIn(
  node: ts.Expression,
  checker: ts.TypeChecker,
): { value: PlanValue } | undefined {
  const bare = ts.isParenthesizedExpression(node) ? node.expression : node;
  if (bare !== node) return writtenIn(bare, checker);
  if (ts.isArrayLiteralExpression(node)) {
    const items = node.elements.map((item) => writtenIn(item, checker));
    const known = items.filter((item) => item !== undefined);
    return known.length === items.length ? { value: known.map(({ value }) => value) } : undefined;
  }
  if (ts.isObjectLiteralExpression(node)) return writtenFields(node, checker);
  const type = checker.getTypeAtLocation(node);
  return type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;
}

function writtenFields(
  { properties }: ts.ObjectLiteralExpression,
  checker: ts.TypeChecker,
): { value: PlanValue } | undefined {
  const fields = properties.map((property): [string, PlanValue] | undefined => {
    if (!ts.isPropertyAssignment(property) || ts.isComputedPropertyName(property.name)) {
      return undefined;
    }
    const written = writtenIn(property.initializer, checker);
    return written && [property.name.text, written.value];
  });
  const known = fields.filter((field) => field !== undefined);
  return known.length === fields.length ? { value: Object.fromEntries(known) } : undefined;
}
