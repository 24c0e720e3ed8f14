import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { objectSchema } from "./objects.js";
import {
  NoSchema,
  type SchemaRequest,
  type SchemaScope,
  type TypeSource,
} from "./schemaRequest.js";
import { unionSchema } from "./unions.js";

/** Deeper types are taken for endlessly growing generics. */
const MAX_DEPTH = 30;

/** Bounds the schema: a few types that each contain the previous one twice can reach any size. */
const MOST_TYPES = 2_000;

const PRIMITIVE =
  ts.TypeFlags.StringLike |
  ts.TypeFlags.NumberLike |
  ts.TypeFlags.BooleanLike |
  ts.TypeFlags.BigIntLike |
  ts.TypeFlags.ESSymbolLike;

/** A fresh scope: a signature's parameters have one, and its result another. */
export function schemaScope(
  types: TypeSource,
  textOf: SchemaScope["textOf"] = () => undefined,
): SchemaScope {
  const names = new Map<ts.Type, string>();
  return { ...types, schemaOf, textOf, defs: {}, names, open: new Set(), depth: 0, written: 0 };
}

/**
 * The JSON Schema of a type. Recursive types become `$ref`s into `scope.defs`; the caller adds `$defs` to the root with
 * {@link withDefs}.
 *
 * @throws NoSchema when JSON cannot represent a value of the type
 */
export function schemaOf(request: SchemaRequest): JsonSchema {
  const { scope } = request;
  if (scope.depth >= MAX_DEPTH) throw new NoSchema({ ...request, advice: "it is nested too deep" });
  scope.written += 1;
  if (scope.written > MOST_TYPES) throw new NoSchema({ ...request, advice: TOO_LARGE });
  scope.depth += 1;
  try {
    return primitiveSchema(request.type) ?? writeNamedOnce(request);
  } finally {
    scope.depth -= 1;
  }
}

const TOO_LARGE = "all types together make it too large; use fewer or plainer ones";

/** Adds the recursive types of a scope to the root of its document. */
export function withDefs<Schema extends JsonSchema>(schema: Schema, scope: SchemaScope): Schema {
  return Object.keys(scope.defs).length === 0 ? schema : { ...schema, $defs: scope.defs };
}

function primitiveSchema(type: ts.Type): JsonSchema | undefined {
  const { flags } = type;
  if (isUnresolved(type)) return undefined;
  if (flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) return {};
  if (flags & (ts.TypeFlags.String | ts.TypeFlags.TemplateLiteral | ts.TypeFlags.StringMapping))
    return { type: "string" };
  // `Enum` is an enum whose values are computed at run time; they are numbers.
  if (flags & (ts.TypeFlags.Number | ts.TypeFlags.Enum)) return { type: "number" };
  if (flags & ts.TypeFlags.Boolean) return { type: "boolean" };
  if (flags & ts.TypeFlags.Null) return { type: "null" };
  if (flags & ts.TypeFlags.NonPrimitive) return { type: "object" };
  return undefined;
}

/** Writes a recursive type once, under its name, and refers to it. */
function writeNamedOnce(request: SchemaRequest): JsonSchema {
  const { type, scope } = request;
  const name = typeName(type);
  if (name === undefined) return structureSchema(request);
  const known = scope.names.get(type);
  if (known !== undefined) return { $ref: `#/$defs/${known}` };
  if (scope.open.has(type)) {
    const free = freeName(name, new Set(scope.names.values()));
    scope.names.set(type, free);
    return { $ref: `#/$defs/${free}` };
  }
  scope.open.add(type);
  try {
    const schema = structureSchema(request);
    const recursive = scope.names.get(type);
    if (recursive === undefined) return schema;
    scope.defs[recursive] = schema;
    return { $ref: `#/$defs/${recursive}` };
  } finally {
    scope.open.delete(type);
  }
}

function structureSchema(request: SchemaRequest): JsonSchema {
  const { type } = request;
  const { flags } = type;
  if (isUnresolved(type))
    throw new NoSchema({ ...request, advice: "the type was not found: fix its name or import" });
  if (flags & (ts.TypeFlags.Union | ts.TypeFlags.Literal)) return unionSchema(request);
  if (flags & ts.TypeFlags.Instantiable) return genericSchema(request);
  if (type.isIntersection()) {
    // A branded primitive (`string & { readonly brand: "id" }`) is that primitive in JSON.
    const primitive = type.types.find((part) => part.flags & PRIMITIVE);
    return primitive === undefined
      ? objectSchema(request)
      : schemaOf({ ...request, type: primitive });
  }
  if (flags & ts.TypeFlags.Object) return objectSchema(request);
  throw new NoSchema({ ...request, advice: "use a type of plain data" });
}

function genericSchema(request: SchemaRequest): JsonSchema {
  const { type, scope } = request;
  const declarations = type.isTypeParameter() ? type.symbol.declarations : undefined;
  const node = declarations?.find(ts.isTypeParameterDeclaration)?.constraint;
  // A type parameter without a constraint is its own base constraint.
  const constraint = scope.checker.getBaseConstraintOfType(type);
  if (constraint === undefined || constraint === type) {
    const name = scope.checker.typeToString(type);
    const advice = `give the generic type a constraint, as in "${name} extends string"`;
    throw new NoSchema({ ...request, advice });
  }
  return schemaOf({ ...request, type: constraint, node });
}

function typeName(type: ts.Type): string | undefined {
  if (type.aliasSymbol !== undefined) return type.aliasSymbol.name;
  const named = type.symbol?.flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.Class);
  const isArray = type.symbol?.name === "Array" || type.symbol?.name === "ReadonlyArray";
  return named && !isArray ? type.symbol.name : undefined;
}

function freeName(name: string, taken: Set<string>): string {
  let free = name;
  for (let count = 2; taken.has(free); count += 1) free = `${name}${count}`;
  return free;
}

/** For an unknown type the checker gives `any`, which only this name tells apart. */
function isUnresolved(type: ts.Type): boolean {
  return (
    (type.flags & ts.TypeFlags.Any) !== 0 &&
    "intrinsicName" in type &&
    type.intrinsicName === "error"
  );
}
