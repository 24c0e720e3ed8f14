import ts from "typescript";
import { withPatternDefaults } from "./defaults.js";
import type { FunctionDocs } from "./docs.js";
import { isPlainObject, namedProperties } from "./objects.js";
import {
  type ParametersReading,
  parameterNode,
  parameterProblem,
  parametersSchema,
} from "./parametersSchema.js";
import { type TypeSource, schemaScope, withDefs } from "./typeSchema.js";

/** The only parameter of a function, if it is an object with named properties. */
export function objectParameter({
  symbols,
  types,
}: {
  symbols: readonly ts.Symbol[];
  types: TypeSource;
}): ts.Symbol | undefined {
  const [only, ...others] = symbols;
  if (only === undefined || others.length > 0) return undefined;
  if (parameterNode(only)?.dotDotDotToken !== undefined) return undefined;
  return isPlainObject(objectType(only, types), types) ? only : undefined;
}

/**
 * The properties of a function's object as the parameters of its tool. Their texts come from
 * `@param options.size`, from `@param size` or from the comment at the property, in this order.
 */
export function objectParameters({
  symbol,
  docs,
  types,
}: {
  symbol: ts.Symbol;
  docs: FunctionDocs;
  types: TypeSource;
}): ParametersReading {
  const { checker } = types;
  const node = parameterNode(symbol);
  const pattern = node && ts.isObjectBindingPattern(node.name) ? node.name : undefined;
  const type = objectType(symbol, types);
  const path = pattern === undefined ? symbol.name : rootName({ type, docs, checker });
  const textOf = (at: string): string | undefined =>
    docs.parameters.get(at) || docs.parameters.get(at.slice(path.length + 1));
  const scope = schemaScope({ types, textOf });
  try {
    const { properties, required } = namedProperties({ type, path, scope });
    const plain = withDefs(parametersSchema(properties, required), scope);
    const schema =
      pattern === undefined ? plain : withPatternDefaults({ schema: plain, pattern, checker });
    return { parameters: schema, problems: [] };
  } catch (error) {
    return { parameters: parametersSchema({}, []), problems: [parameterProblem(error, node)] };
  }
}

function objectType(symbol: ts.Symbol, { checker }: TypeSource): ts.Type {
  return checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
}

/** A destructured parameter has no name of its own; its `@param` tags may give it one. */
function rootName({
  type,
  docs,
  checker,
}: {
  type: ts.Type;
  docs: FunctionDocs;
  checker: ts.TypeChecker;
}): string {
  const [documented] = docs.parameterNames;
  const isProperty =
    documented !== undefined && checker.getPropertyOfType(type, documented) !== undefined;
  return documented === undefined || isProperty ? "options" : documented;
}
