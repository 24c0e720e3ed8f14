import ts from "typescript";
import type { JsonSchema } from "../tool.js";
import { isContext } from "./context.js";
import { isObjectSchema, literalDefault, withPatternDefaults } from "./defaults.js";
import { type FunctionDocs, withText } from "./docs.js";
import { declaredTypeNode } from "./objects.js";
import {
  type ParametersReading,
  isOptional,
  parameterNode,
  parameterProblem,
  parametersSchema,
} from "./parametersSchema.js";
import {
  type SchemaScope,
  type TypeSource,
  schemaOf,
  schemaScope,
  withDefs,
} from "./typeSchema.js";
import { declaredType } from "./unions.js";

/** Positional parameters, under their names in the source. */
export function positionalParameters({
  symbols,
  docs,
  types,
}: {
  symbols: readonly ts.Symbol[];
  docs: FunctionDocs;
  types: TypeSource;
}): ParametersReading {
  const scope = schemaScope({ types, textOf: (path) => docs.parameters.get(path) });
  const properties: Record<string, JsonSchema> = {};
  const required: string[] = [];
  const problems: ParametersReading["problems"] = [];
  for (const [index, symbol] of symbols.entries()) {
    const node = parameterNode(symbol);
    const isNamed = node === undefined || ts.isIdentifier(node.name);
    const name = isNamed ? symbol.name : docs.parameterNames[index];
    const obstacle = isContext(symbol, types.checker) ? CONTEXT_NOT_LAST : UNNAMED;
    if (name === undefined || obstacle === CONTEXT_NOT_LAST) {
      problems.push({ node, problem: `parameter ${index + 1} ${obstacle}` });
      continue;
    }
    try {
      properties[name] = parameterSchema({ symbol, name, scope });
      if (!isOptional(symbol, types.checker)) required.push(name);
    } catch (error) {
      problems.push(parameterProblem(error, node));
    }
  }
  return { parameters: withDefs(parametersSchema(properties, required), scope), problems };
}

const CONTEXT_NOT_LAST = "is a ToolContext, which has to be the last one; move it to the end";

const UNNAMED = "is destructured and has no name; name it with a @param tag";

function parameterSchema({
  symbol,
  name,
  scope,
}: {
  symbol: ts.Symbol;
  name: string;
  scope: SchemaScope;
}): JsonSchema {
  const { checker } = scope;
  const typeNode = declaredTypeNode(symbol);
  const type = declaredType({ type: checker.getTypeOfSymbol(symbol), node: typeNode, checker });
  const plain = schemaOf({ type, node: typeNode, path: name, scope });
  const node = parameterNode(symbol);
  const schema =
    node !== undefined && ts.isObjectBindingPattern(node.name) && isObjectSchema(plain)
      ? withPatternDefaults({ schema: plain, pattern: node.name, checker })
      : plain;
  const literal = node?.initializer && literalDefault(node.initializer, checker);
  const described = withText(schema, scope.textOf(name) ?? "");
  return literal === undefined ? described : { ...described, default: literal.value };
}
