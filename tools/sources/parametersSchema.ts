import ts from "typescript";
import type { JsonSchema } from "../../common/schemas/jsonSchema.js";
import type { ParametersSchema } from "../tool.js";
import { NoSchema } from "./noSchema.js";
import { allowsUndefined } from "./unions.js";

/** The parameters of a signature, and problems with those that have no schema. */
export interface ParametersReading {
  parameters: ParametersSchema;
  problems: { node: ts.Node | undefined; problem: string }[];
}

/** The root of a tool's parameters; closed, so that misspelt arguments are noticed. */
export function parametersSchema(
  properties: Record<string, JsonSchema>,
  required: readonly string[],
): ParametersSchema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 ? { required: [...required] } : {}),
    additionalProperties: false,
  };
}

/** The declaration of a parameter; undefined if it only exists in a JSDoc type. */
export function parameterNode(symbol: ts.Symbol): ts.ParameterDeclaration | undefined {
  const declaration = symbol.valueDeclaration;
  return declaration !== undefined && ts.isParameter(declaration) ? declaration : undefined;
}

/** Whether a call may omit the parameter: it has `?` or a default, or accepts undefined. */
export function isOptional(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  if (allowsUndefined(checker.getTypeOfSymbol(symbol))) return true;
  const node = parameterNode(symbol);
  if (node === undefined) return false;
  const hasDefault = node.initializer !== undefined || node.dotDotDotToken !== undefined;
  return hasDefault || checker.isOptionalParameter(node);
}

/**
 * A type without a schema as a problem of its parameter.
 *
 * @throws any other error, which is a bug
 */
export function parameterProblem(
  error: unknown,
  node: ts.Node | undefined,
): ParametersReading["problems"][number] {
  if (!(error instanceof NoSchema)) throw error;
  return { node, problem: error.message };
}
