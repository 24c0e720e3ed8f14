import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";

/** A value that is known without running the program. */
export interface Literal {
  value: unknown;
}

/**
 * The value of a default (`= 5`, `= ["a"]`, `= Color.Red`, `= LIMIT` of a constant).
 *
 * @returns undefined if only running the program can tell, as for `= new Date()`
 */
export function literalDefault(
  expression: ts.Expression,
  checker: ts.TypeChecker,
): Literal | undefined {
  return literalIn(expression, (leaf) => {
    const type = checker.getTypeAtLocation(leaf);
    return type.isStringLiteral() || type.isNumberLiteral() ? { value: type.value } : undefined;
  });
}

/**
 * The value of a literal, also of a list or an object of some.
 *
 * @param leafIn the value of a part that is none of these, and not true, false or null
 */
export function literalIn(
  expression: ts.Expression,
  leafIn: (leaf: ts.Expression) => Literal | undefined,
): Literal | undefined {
  const inner = bareExpression(expression);
  if (inner.kind === ts.SyntaxKind.TrueKeyword) return { value: true };
  if (inner.kind === ts.SyntaxKind.FalseKeyword) return { value: false };
  if (inner.kind === ts.SyntaxKind.NullKeyword) return { value: null };
  if (ts.isArrayLiteralExpression(inner)) {
    const items = inner.elements.map((element) => literalIn(element, leafIn));
    // As in JSON, `undefined` in a list is null.
    return items.includes(undefined)
      ? undefined
      : { value: items.map((item) => item?.value ?? null) };
  }
  if (!ts.isObjectLiteralExpression(inner)) return leafIn(inner);
  const entries: [string, unknown][] = [];
  for (const property of inner.properties) {
    if (!ts.isPropertyAssignment(property)) return undefined;
    const { name, initializer } = property;
    const literal = literalIn(initializer, leafIn);
    if (literal === undefined || ts.isComputedPropertyName(name)) return undefined;
    if (literal.value !== undefined) entries.push([name.text, literal.value]);
  }
  return { value: Object.fromEntries(entries) };
}

/**
 * Adds the defaults of a destructured parameter (`{ size = 1, place: { city = "Oslo" } }`) to the schemas of its
 * properties. A property with a default is never required.
 */
export function withPatternDefaults<Schema extends ObjectSchema>(
  schema: Schema,
  pattern: ts.ObjectBindingPattern,
  checker: ts.TypeChecker,
): Schema {
  const properties = { ...schema.properties };
  const optional = new Set<string>();
  for (const { name, propertyName, initializer } of pattern.elements) {
    const key = propertyName ?? name;
    if (!ts.isIdentifier(key) && !ts.isStringLiteral(key)) continue;
    const property = properties[key.text];
    if (property === undefined) continue;
    const inner =
      ts.isObjectBindingPattern(name) && isObjectSchema(property)
        ? withPatternDefaults(property, name, checker)
        : property;
    const literal = initializer && literalDefault(initializer, checker);
    properties[key.text] = literal === undefined ? inner : { ...inner, default: literal.value };
    if (initializer !== undefined) optional.add(key.text);
  }
  const required = schema.required?.filter((key) => !optional.has(key)) ?? [];
  const { required: _before, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 ? { required } : {}) } as Schema;
}

/** A schema with named properties, as this folder writes it. */
interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

/** Whether a schema names properties; references and records do not. */
export function isObjectSchema(schema: JsonSchema): schema is ObjectSchema {
  return schema.properties !== undefined;
}

/** Without parentheses, `as`, `satisfies` and `!`. */
export function bareExpression(expression: ts.Expression): ts.Expression {
  const isWrapped =
    ts.isParenthesizedExpression(expression) ||
    ts.isAssertionExpression(expression) ||
    ts.isSatisfiesExpression(expression) ||
    ts.isNonNullExpression(expression);
  return isWrapped ? bareExpression(expression.expression) : expression;
}
