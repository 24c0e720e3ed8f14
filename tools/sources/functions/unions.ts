import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { anySchema } from "../../../common/schemas/typeWords.js";
import { NoSchema, type SchemaRequest } from "./schemaRequest.js";

/**
 * The JSON Schema of a union or single literal: literals of one kind become an `enum`, anything else an alternative of
 * `anyOf`. The description names members of TypeScript enums. `undefined` is left out, because in JSON it means an
 * absent key.
 *
 * @throws NoSchema when a member has no schema, or none is left
 */
export function unionSchema(request: SchemaRequest): JsonSchema {
  const members = membersInOrder(request).filter(({ type }) => !isUndefined(type));
  const types = members.map(({ type }) => type);
  if (members.length === 0)
    throw new NoSchema({ ...request, advice: "nothing can be passed to it" });
  if (members.length > MOST_MEMBERS)
    throw new NoSchema({ ...request, advice: `it has more than ${MOST_MEMBERS} members` });
  return anySchema(
    members.map(
      (member) =>
        literalGroup(member.type, types) ?? request.scope.schemaOf({ ...request, ...member }),
    ),
  );
}

/** More choices than this are data, not a type. */
const MOST_MEMBERS = 1_000;

/** Whether a type is `undefined` or `void`. */
export function isUndefined(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Void)) !== 0;
}

export function allowsUndefined(type: ts.Type): boolean {
  return isUndefined(type) || (type.isUnion() && type.types.some(isUndefined));
}

/**
 * The declared type without the `undefined` that the checker adds for `?`. Keeps the name of an aliased union, which
 * the checker's type loses.
 */
export function declaredType(
  type: ts.Type,
  node: ts.TypeNode | undefined,
  checker: ts.TypeChecker,
): ts.Type {
  if (node === undefined || !type.isUnion()) return type;
  const declared = checker.getTypeFromTypeNode(node);
  if (!declared.isUnion()) return type;
  const defined = new Set(type.types.filter((member) => !isUndefined(member)));
  const same =
    declared.types.length === defined.size && declared.types.every((member) => defined.has(member));
  return same ? declared : type;
}

/** All members that are literals of the same kind as `member`, as one schema. */
function literalGroup(member: ts.Type, members: ts.Type[]): JsonSchema | undefined {
  if (member.isStringLiteral()) {
    const texts = members.filter((other) => other.isStringLiteral());
    return literalSchema("string", texts);
  }
  if (member.isNumberLiteral()) {
    const numbers = members.filter((other) => other.isNumberLiteral());
    return literalSchema("number", numbers);
  }
  if (!(member.flags & ts.TypeFlags.BooleanLiteral)) return undefined;
  const values = members.filter((other) => other.flags & ts.TypeFlags.BooleanLiteral);
  return values.length === 2
    ? { type: "boolean" }
    : { type: "boolean", enum: ["intrinsicName" in member && member.intrinsicName === "true"] };
}

function literalSchema(
  type: "string" | "number",
  members: (ts.StringLiteralType | ts.NumberLiteralType)[],
): JsonSchema {
  const values = members.map((member) => member.value);
  const named = members.flatMap((member) => {
    const isEnumMember = (member.flags & ts.TypeFlags.EnumLiteral) !== 0;
    const saysMore = isEnumMember && member.symbol.name !== member.value;
    return saysMore ? [`${member.value} = ${member.symbol.name}`] : [];
  });
  const schema: JsonSchema = { type, enum: values };
  return named.length === 0 ? schema : { ...schema, description: named.join(", ") };
}

/** A member of a union, and its source text if known. */
interface Member {
  type: ts.Type;
  node?: ts.TypeNode;
}

/**
 * The members in source order. The checker's order depends on where in the program it first met each, so it would
 * change with unrelated code.
 */
function membersInOrder({ type, node, scope }: SchemaRequest): Member[] {
  if (!type.isUnion()) return [{ type, node }];
  const { checker } = scope;
  const source = aliasNode(type) ?? node;
  const members = new Set(type.types);
  const listed = source === undefined ? [] : listedMembers(source, checker);
  const known = listed.filter((member) => members.delete(member.type));
  return [...known, ...byText([...members], checker)];
}

function listedMembers(node: ts.TypeNode, checker: ts.TypeChecker): Member[] {
  if (ts.isParenthesizedTypeNode(node)) return listedMembers(node.type, checker);
  if (ts.isUnionTypeNode(node)) return node.types.flatMap((part) => listedMembers(part, checker));
  const type = checker.getTypeFromTypeNode(node);
  if (!type.isUnion()) return [{ type, node }];
  const alias = aliasNode(type);
  return alias === undefined || alias === node
    ? byText(type.types, checker)
    : listedMembers(alias, checker);
}

/** The right side of `type Name = …`, if the type has an alias. */
export function aliasNode(type: ts.Type): ts.TypeNode | undefined {
  return type.aliasSymbol?.declarations?.find(ts.isTypeAliasDeclaration)?.type;
}

/** Enum members stay in declaration order, in which the checker creates them. */
function byText(types: ts.Type[], checker: ts.TypeChecker): Member[] {
  const members = types.map((type) => ({ type }));
  if (types.every((type) => type.flags & ts.TypeFlags.EnumLiteral)) return members;
  const text = new Map(types.map((type) => [type, checker.typeToString(type)]));
  return members.toSorted((left, right) =>
    (text.get(left.type) ?? "").localeCompare(text.get(right.type) ?? "", "en", { numeric: true }),
  );
}
