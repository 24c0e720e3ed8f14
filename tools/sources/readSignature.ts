import type ts from "typescript";
import { isContext } from "./context.js";
import type { FunctionDocs } from "./docs.js";
import { objectParameter, objectParameters } from "./objectParameter.js";
import { type ParametersReading, parameterNode } from "./parametersSchema.js";
import { positionalParameters } from "./positionalParameters.js";
import type { TypeSource } from "./typeSchema.js";

/** How a signature is called and what it takes. */
export interface SignatureReading extends ParametersReading {
  callStyle: "positional" | "object";
  /** In signature order; with `callStyle: "object"` the names of the properties. */
  parameterNames: string[];
  takesContext: boolean;
  /** The last parameter is `...rest`: its array is spread. */
  rest: boolean;
}

/**
 * Turns the parameters of a signature into the JSON Schema of a tool's arguments. A trailing `ToolContext` is
 * left out. A function whose only other parameter is an object with named properties, destructured or not,
 * takes that object's properties as the tool's parameters (even if the object itself is optional); any other
 * function takes its parameters by name.
 */
export function readSignature({
  signature,
  docs,
  types,
}: {
  signature: ts.Signature;
  docs: FunctionDocs;
  types: TypeSource;
}): SignatureReading {
  const last = signature.parameters.at(-1);
  const takesContext = last !== undefined && isContext(last, types.checker);
  const symbols = takesContext ? signature.parameters.slice(0, -1) : signature.parameters;
  const object = objectParameter({ symbols, types });
  const { parameters, problems } =
    object === undefined
      ? positionalParameters({ symbols, docs, types })
      : objectParameters({ symbol: object, docs, types });
  return {
    parameters,
    problems,
    callStyle: object === undefined ? "positional" : "object",
    parameterNames: Object.keys(parameters.properties),
    takesContext,
    rest: last !== undefined && parameterNode(last)?.dotDotDotToken !== undefined,
  };
}
