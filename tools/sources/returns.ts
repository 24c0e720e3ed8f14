import ts from "typescript";
import { schemaExcess } from "../../common/schemas/size.js";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import { withText } from "./docs.js";
import { NoSchema } from "./noSchema.js";
import { type TypeSource, anySchema, schemaOf, schemaScope, withDefs } from "./typeSchema.js";
import { isUndefined } from "./unions.js";

/**
 * The JSON Schema of a function's awaited result; for overloads, of all their results.
 *
 * @returns undefined if it returns nothing, something JSON cannot represent, or a type whose schema is too large
 */
export function readReturns({
  signatures,
  text,
  types,
}: {
  signatures: readonly ts.Signature[];
  text: string;
  types: TypeSource;
}): JsonSchema | undefined {
  const scope = schemaScope({ types });
  const schemas: JsonSchema[] = [];
  for (const signature of signatures) {
    const { checker } = types;
    const promised = checker.getReturnTypeOfSignature(signature);
    const type = checker.getAwaitedType(promised) ?? promised;
    if (isUndefined(type)) return undefined;
    try {
      const node = unwrapPromise(declaredReturn(signature));
      schemas.push(schemaOf({ type, node, path: "result", scope }));
    } catch (error) {
      if (!(error instanceof NoSchema)) throw error;
      return undefined;
    }
  }
  const schema = withDefs(withText(anySchema(schemas), text), scope);
  return schemaExcess(schema) === undefined ? schema : undefined;
}

function declaredReturn({ declaration }: ts.Signature): ts.TypeNode | undefined {
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return undefined;
  return declaration.type ?? ts.getJSDocReturnType(declaration);
}

/** The node only serves to order unions; `Promise<T>` wraps the type. */
function unwrapPromise(node: ts.TypeNode | undefined): ts.TypeNode | undefined {
  const isReference = node !== undefined && ts.isTypeReferenceNode(node);
  return isReference && node.typeName.getText() === "Promise" ? node.typeArguments?.[0] : node;
}
