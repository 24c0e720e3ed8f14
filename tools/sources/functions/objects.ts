import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { arraySchema } from "./arrays.js";
import { symbolText, withText } from "./docs.js";
import { NoSchema, type SchemaRequest, type TypeSource } from "./schemaRequest.js";
import { aliasNode, allowsUndefined, declaredType } from "./unions.js";

/**
 * The JSON Schema of an object type: arrays, tuples, `Date` (as a date-time text), records and objects with named
 * properties.
 *
 * @throws NoSchema for functions, class instances and the built-in objects of JavaScript
 */
export function objectSchema(request: SchemaRequest): JsonSchema {
  const { type, scope } = request;
  const array = arraySchema(request);
  if (array !== undefined) return array;
  if (isBuiltIn(type, scope)) {
    if (type.symbol.name === "Date") return { type: "string", format: "date-time" };
    throw new NoSchema({ ...request, advice: "use a type of plain data" });
  }
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0) {
    throw new NoSchema({ ...request, advice: "pass data in place of a function" });
  }
  if (type.symbol?.flags & ts.SymbolFlags.Class) {
    throw new NoSchema({ ...request, advice: "use a plain object type in place of a class" });
  }
  const entries = scope.checker.getIndexInfosOfType(type);
  const named = namedProperties(request);
  const hasNames = Object.keys(named.properties).length > 0;
  return {
    type: "object",
    ...(hasNames ? { properties: named.properties } : {}),
    ...(named.required.length > 0 ? { required: named.required } : {}),
    ...(entries.length > 0 ? { additionalProperties: entrySchema(request, entries) } : {}),
  };
}

/**
 * The named properties of an object type in source order, each with its schema and comment.
 *
 * @throws NoSchema when JSON cannot represent one of them
 */
export function namedProperties({ type: object, path, scope }: SchemaRequest): {
  properties: Record<string, JsonSchema>;
  required: string[];
} {
  const { checker } = scope;
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  for (const property of propertiesInOrder(object, checker)) {
    const node = declaredTypeNode(property);
    const declared = checker.getTypeOfSymbol(property);
    const optional = (property.flags & ts.SymbolFlags.Optional) !== 0;
    // `circle?: never` says that this variant lacks the property.
    if (optional && checker.getNonNullableType(declared).flags & ts.TypeFlags.Never) continue;
    const at = `${path}.${property.name}`;
    const type = declaredType(declared, node, checker);
    const schema = scope.schemaOf({ type, node, path: at, scope });
    const text = scope.textOf(at) || symbolText(property, checker);
    properties[property.name] = withText(schema, text);
    if (!optional && !allowsUndefined(declared)) required.push(property.name);
  }
  return { properties, required };
}

/** Whether the type is an object with only named properties, not an array, date or record. */
export function isPlainObject(type: ts.Type, types: TypeSource): boolean {
  const { checker } = types;
  return (
    (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection)) !== 0 &&
    !checker.isArrayType(type) &&
    !checker.isTupleType(type) &&
    !isBuiltIn(type, types) &&
    type.getCallSignatures().length === 0 &&
    checker.getIndexInfosOfType(type).length === 0 &&
    checker.getPropertiesOfType(type).length > 0 &&
    !(type.symbol?.flags & ts.SymbolFlags.Class)
  );
}

/**
 * The properties in declaration order. For mapped types (`Pick`, `Record<"a" | "b", T>`) and intersections, the
 * checker's order depends on where in the program it first met each key.
 */
function propertiesInOrder(type: ts.Type, checker: ts.TypeChecker): ts.Symbol[] {
  const properties = checker.getPropertiesOfType(type);
  const isMapped =
    (type.flags & ts.TypeFlags.Object) !== 0 &&
    ((type as ts.ObjectType).objectFlags & ts.ObjectFlags.Mapped) !== 0;
  if (!isMapped && !type.isIntersection()) return properties;
  return properties.toSorted(
    (left, right) =>
      fileOf(left).localeCompare(fileOf(right), "en") ||
      (left.declarations?.[0]?.pos ?? 0) - (right.declarations?.[0]?.pos ?? 0) ||
      left.name.localeCompare(right.name, "en"),
  );
}

/** Keys of a `Record` have no declaration and come first, by name. */
function fileOf(property: ts.Symbol): string {
  return property.declarations?.[0]?.getSourceFile().fileName ?? "";
}

/** The type as written at the declaration of a property or parameter, in TypeScript or in JSDoc. */
export function declaredTypeNode(symbol: ts.Symbol): ts.TypeNode | undefined {
  const declaration = symbol.valueDeclaration;
  if (declaration === undefined) return undefined;
  const isTyped =
    ts.isParameter(declaration) ||
    ts.isPropertySignature(declaration) ||
    ts.isPropertyDeclaration(declaration);
  return (isTyped ? declaration.type : undefined) ?? ts.getJSDocType(declaration);
}

function entrySchema(request: SchemaRequest, entries: readonly ts.IndexInfo[]): JsonSchema {
  const { path, scope } = request;
  const schemas = entries.map(({ keyType, type, declaration }) => {
    if (keyType.flags & ts.TypeFlags.ESSymbolLike) {
      throw new NoSchema({ ...request, advice: "use strings as keys" });
    }
    const node = declaration?.type ?? recordValueNode(request);
    return scope.schemaOf({ type, node, path: `${path}[key]`, scope });
  });
  const [only, ...others] = schemas;
  return only !== undefined && others.length === 0 ? only : { anyOf: schemas };
}

/** The second argument of `Record<string, T>` as written. */
function recordValueNode({ type, node }: SchemaRequest): ts.TypeNode | undefined {
  const written = type.aliasSymbol?.name === "Record" ? node : (aliasNode(type) ?? node);
  const isRecord =
    written !== undefined &&
    ts.isTypeReferenceNode(written) &&
    written.typeName.getText() === "Record";
  return isRecord ? written.typeArguments?.[1] : undefined;
}

/** Utility types (`Partial`, `Pick`) are declared in the same library, but are not interfaces. */
function isBuiltIn(type: ts.Type, { program }: TypeSource): boolean {
  const symbol = type.symbol as ts.Symbol | undefined;
  if (symbol === undefined || !(symbol.flags & ts.SymbolFlags.Interface)) return false;
  return (symbol.declarations ?? []).some((declaration) =>
    program.isSourceFileDefaultLibrary(declaration.getSourceFile()),
  );
}
