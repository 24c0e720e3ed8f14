import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { withText } from "./docs.js";
import { NoSchema, type SchemaRequest, anySchema } from "./schemaRequest.js";
import { aliasNode, declaredType } from "./unions.js";

type TupleRequest = SchemaRequest & { type: ts.TupleTypeReference };

/** The JSON Schema of an array or tuple type; undefined for any other type. */
export function arraySchema(request: SchemaRequest): JsonSchema | undefined {
  const { type, path, scope } = request;
  const { checker } = scope;
  const node = aliasNode(type) ?? request.node;
  if (checker.isTupleType(type)) {
    return tupleSchema({ ...request, node, type: type as ts.TupleTypeReference });
  }
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
  if (isVariadic || (restAt >= 0 && restAt < schemas.length - 1)) {
    throw new NoSchema({ ...request, advice: "put the rest of a tuple at its end, as ...T[]" });
  }
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
