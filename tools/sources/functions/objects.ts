import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { symbolText, withText } from "./docs.js";
import { anySchema } from "../../../common/schemas/typeWords.js";
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
  if (type.getCallSignatures().length > 0 || type.getConstructSignatures().length > 0)
    throw new NoSchema({ ...request, advice: "pass data in place of a function" });
  if (type.symbol?.flags & ts.SymbolFlags.Class)
    throw new NoSchema({ ...request, advice: "use a plain object type in place of a class" });
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
    if (keyType.flags & ts.TypeFlags.ESSymbolLike)
      throw new NoSchema({ ...request, advice: "use strings as keys" });
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

type TupleRequest = SchemaRequest & { type: ts.TupleTypeReference };

/** The JSON Schema of an array or tuple type; undefined for any other type. */
function arraySchema(request: SchemaRequest): JsonSchema | undefined {
  const { type, path, scope } = request;
  const { checker } = scope;
  const node = aliasNode(type) ?? request.node;
  if (checker.isTupleType(type))
    return tupleSchema({ ...request, node, type: type as ts.TupleTypeReference });
  if (!checker.isArrayType(type)) return undefined;
  const [element] = checker.getTypeArguments(type as ts.TypeReference);
  if (element === undefined) return { type: "array" };
  return {
    type: "array",
    items: scope.schemaOf({ type: element, node: elementNode(node), path: `${path}[]`, scope }),
  };
}

/**
 * A tuple in a form that every dialect of JSON Schema accepts: `prefixItems` gives the type at each position (draft
 * 2020-12), `items` allows any member's type (older drafts lack `prefixItems`, and OpenAI refuses arrays without
 * `items`), and the lengths bound both.
 */
function tupleSchema(request: TupleRequest): JsonSchema {
  const { elementFlags, minLength } = request.type.target;
  const schemas = memberSchemas(request);
  if (schemas.length === 0) return { type: "array", maxItems: 0 };
  const restAt = elementFlags.findIndex((flag) => flag & ts.ElementFlags.Variable);
  const isVariadic = elementFlags.some((flag) => flag & ts.ElementFlags.Variadic);
  if (isVariadic || (restAt >= 0 && restAt < schemas.length - 1))
    throw new NoSchema({ ...request, advice: "put the rest of a tuple at its end, as ...T[]" });
  return {
    type: "array",
    prefixItems: restAt >= 0 ? schemas.slice(0, restAt) : schemas,
    items: anySchema(schemas.map(({ description: _label, ...schema }) => schema)),
    minItems: minLength,
    ...(restAt >= 0 ? {} : { maxItems: schemas.length }),
  };
}

/** The members' schemas; a labelled member (`[lat: number]`) is described by its label. */
function memberSchemas({ type, node, path, scope }: TupleRequest): JsonSchema[] {
  const { checker } = scope;
  const nodes = tupleNodes(node);
  return checker.getTypeArguments(type).map((member, index) => {
    const memberNode = nodes[index];
    const schema = scope.schemaOf({
      type: declaredType(member, memberNode, checker),
      node: memberNode,
      path: `${path}[${index}]`,
      scope,
    });
    const label = type.target.labeledElementDeclarations?.[index]?.name;
    const text = label !== undefined && ts.isIdentifier(label) ? label.text : "";
    return schema.description === undefined ? withText(schema, text) : schema;
  });
}

function elementNode(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  if (node === undefined) return undefined;
  if (ts.isParenthesizedTypeNode(node)) return elementNode(node.type);
  if (ts.isTypeOperatorNode(node)) return elementNode(node.type);
  if (ts.isArrayTypeNode(node)) return node.elementType;
  return ts.isTypeReferenceNode(node) ? node.typeArguments?.[0] : undefined;
}

function tupleNodes(node: ts.TypeNode | undefined): readonly ts.TypeNode[] {
  if (node === undefined) return [];
  if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return tupleNodes(node.type);
  if (!ts.isTupleTypeNode(node)) return [];
  return node.elements.map((element) => {
    if (ts.isRestTypeNode(element)) return elementNode(element.type) ?? element;
    return ts.isNamedTupleMember(element) || ts.isOptionalTypeNode(element)
      ? element.type
      : element;
  });
}
