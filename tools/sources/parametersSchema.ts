import ts from "typescript";
import type { JsonSchema, ParametersSchema } from "../tool.js";
import { NoSchema } from "./noSchema.js";
import { allowsUndefined } from "./unions.js";

/** The parameters of one signature, and what of them cannot be expressed, each at its parameter. */
export interface ParametersReading {
  parameters: ParametersSchema;
  problems: { node: ts.Node | undefined; problem: string }[];
}

/** The root of a tool's parameters: closed, so that a misspelt argument is seen. */
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

/** The declaration of a parameter; `undefined` for one that exists in a JSDoc type only. */
export function parameterNode(symbol: ts.Symbol): ts.ParameterDeclaration | undefined {
  const declaration = symbol.valueDeclaration;
  return declaration !== undefined && ts.isParameter(declaration) ? declaration : undefined;
}

/** Whether a call may leave the parameter out: by `?`, by a default or because it takes `undefined`. */
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
 * @throws any other error, which is a fault of this program
 */
export function parameterProblem(
  error: unknown,
  node: ts.Node | undefined,
): ParametersReading["problems"][number] {
  if (!(error instanceof NoSchema)) throw error;
  return { node, problem: error.message };
}
