import ts from "typescript";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { schemaExcess } from "../../../common/schemas/size.js";
import type { ParametersSchema } from "../../tool.js";
import { isObjectSchema, literalDefault, withPatternDefaults } from "./defaults.js";
import { type FunctionDocs, withText } from "./docs.js";
import { declaredTypeNode, isPlainObject, namedProperties } from "./objects.js";
import { schemaOf, schemaScope, withDefs } from "./typeSchema.js";
import { NoSchema, type SchemaScope, type TypeSource } from "./schemaRequest.js";
import { allowsUndefined, declaredType, isUndefined } from "./unions.js";

/** The parameters of a signature, and problems with those that have no schema. */
interface ParametersReading {
  parameters: ParametersSchema;
  problems: { node: ts.Node | undefined; problem: string }[];
}

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
 * Turns the parameters of a signature into the JSON Schema of a tool's arguments. A trailing `ToolContext` is left out.
 * If the only other parameter is an object with named properties, destructured or not, its properties are the tool's
 * parameters, even if the object itself is optional. Any other function takes its parameters by name.
 */
export function readSignature(
  signature: ts.Signature,
  docs: FunctionDocs,
  types: TypeSource,
): SignatureReading {
  const last = signature.parameters.at(-1);
  const takesContext = last !== undefined && isContext(last, types.checker);
  const symbols = takesContext ? signature.parameters.slice(0, -1) : signature.parameters;
  const object = objectParameter(symbols, types);
  const { parameters, problems } =
    object === undefined
      ? positionalParameters(symbols, docs, types)
      : objectParameters(object, docs, types);
  return {
    parameters,
    problems,
    callStyle: object === undefined ? "positional" : "object",
    parameterNames: Object.keys(parameters.properties),
    takesContext,
    rest: last !== undefined && parameterNode(last)?.dotDotDotToken !== undefined,
  };
}

/** Whether a parameter is a `ToolContext` of any world. Only the name counts, so the type's import need not resolve. */
function isContext(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
  const type = checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
  const typeSymbol: ts.Symbol | undefined = type.symbol;
  const written = declaredTypeNode(symbol)
    ?.getText()
    .replace(/<[\s\S]*$/, "");
  const names = [type.aliasSymbol?.name, typeSymbol?.name, written?.split(".").at(-1)];
  return names.includes("ToolContext");
}

/** A function's only parameter, if it is an object with named properties. */
function objectParameter(symbols: readonly ts.Symbol[], types: TypeSource): ts.Symbol | undefined {
  const [only, ...others] = symbols;
  if (only === undefined || others.length > 0) return undefined;
  if (parameterNode(only)?.dotDotDotToken !== undefined) return undefined;
  return isPlainObject(objectType(only, types), types) ? only : undefined;
}

/**
 * The properties of that object as the tool's parameters. Their texts come from `@param options.size`, else from
 * `@param size`, else from the comment on the property.
 */
function objectParameters(
  symbol: ts.Symbol,
  docs: FunctionDocs,
  types: TypeSource,
): ParametersReading {
  const { checker } = types;
  const node = parameterNode(symbol);
  const pattern = node && ts.isObjectBindingPattern(node.name) ? node.name : undefined;
  const type = objectType(symbol, types);
  const path = pattern === undefined ? symbol.name : rootName(type, docs, checker);
  const textOf = (at: string): string | undefined =>
    docs.parameters.get(at) || docs.parameters.get(at.slice(path.length + 1));
  const scope = schemaScope(types, textOf);
  try {
    const { properties, required } = namedProperties({ type, path, scope });
    const plain = withDefs(parametersSchema(properties, required), scope);
    const schema = pattern === undefined ? plain : withPatternDefaults(plain, pattern, checker);
    return { parameters: schema, problems: [] };
  } catch (error) {
    return { parameters: parametersSchema({}, []), problems: [parameterProblem(error, node)] };
  }
}

function objectType(symbol: ts.Symbol, { checker }: TypeSource): ts.Type {
  return checker.getNonNullableType(checker.getTypeOfSymbol(symbol));
}

/** A destructured parameter has no name of its own; its `@param` tags may give it one. */
function rootName(type: ts.Type, docs: FunctionDocs, checker: ts.TypeChecker): string {
  const [documented] = docs.parameterNames;
  const isProperty =
    documented !== undefined && checker.getPropertyOfType(type, documented) !== undefined;
  return documented === undefined || isProperty ? "options" : documented;
}

/** Positional parameters, under their names in the source. */
function positionalParameters(
  symbols: readonly ts.Symbol[],
  docs: FunctionDocs,
  types: TypeSource,
): ParametersReading {
  const scope = schemaScope(types, (path) => docs.parameters.get(path));
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
      properties[name] = parameterSchema(symbol, name, scope);
      if (!isOptional(symbol, types.checker)) required.push(name);
    } catch (error) {
      problems.push(parameterProblem(error, node));
    }
  }
  return { parameters: withDefs(parametersSchema(properties, required), scope), problems };
}

const CONTEXT_NOT_LAST = "is a ToolContext, which must be the last one; move it to the end";

const UNNAMED = "is destructured and has no name; name it with a @param tag";

function parameterSchema(symbol: ts.Symbol, name: string, scope: SchemaScope): JsonSchema {
  const { checker } = scope;
  const typeNode = declaredTypeNode(symbol);
  const type = declaredType(checker.getTypeOfSymbol(symbol), typeNode, checker);
  const plain = schemaOf({ type, node: typeNode, path: name, scope });
  const node = parameterNode(symbol);
  const schema =
    node !== undefined && ts.isObjectBindingPattern(node.name) && isObjectSchema(plain)
      ? withPatternDefaults(plain, node.name, checker)
      : plain;
  const literal = node?.initializer && literalDefault(node.initializer, checker);
  const described = withText(schema, scope.textOf(name) ?? "");
  return literal === undefined ? described : { ...described, default: literal.value };
}

/** The root of a tool's parameters; closed, so that misspelt arguments are noticed. */
function parametersSchema(
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
function parameterNode(symbol: ts.Symbol): ts.ParameterDeclaration | undefined {
  const declaration = symbol.valueDeclaration;
  return declaration !== undefined && ts.isParameter(declaration) ? declaration : undefined;
}

/** Whether a call may omit the parameter: it has `?` or a default, or accepts undefined. */
function isOptional(symbol: ts.Symbol, checker: ts.TypeChecker): boolean {
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
function parameterProblem(
  error: unknown,
  node: ts.Node | undefined,
): ParametersReading["problems"][number] {
  if (!(error instanceof NoSchema)) throw error;
  return { node, problem: error.message };
}

/**
 * The JSON Schema of a function's awaited result.
 *
 * @returns undefined if it returns nothing, something JSON cannot represent, or a type whose schema is too large
 */
export function readReturns(
  signature: ts.Signature,
  text: string,
  types: TypeSource,
): JsonSchema | undefined {
  const scope = schemaScope(types);
  const { checker } = types;
  const promised = checker.getReturnTypeOfSignature(signature);
  const type = checker.getAwaitedType(promised) ?? promised;
  if (isUndefined(type)) return undefined;
  try {
    const plain = schemaOf({ type, node: writtenResult(signature), path: "result", scope });
    const schema = withDefs(withText(plain, text), scope);
    return schemaExcess(schema) === undefined ? schema : undefined;
  } catch (error) {
    if (!(error instanceof NoSchema)) throw error;
    return undefined;
  }
}

/** The type of the result as written, which only serves to order unions; `Promise<T>` wraps it. */
function writtenResult({ declaration }: ts.Signature): ts.TypeNode | undefined {
  if (declaration === undefined || ts.isJSDocSignature(declaration)) return undefined;
  const node = declaration.type ?? ts.getJSDocReturnType(declaration);
  const isReference = node !== undefined && ts.isTypeReferenceNode(node);
  return isReference && node.typeName.getText() === "Promise" ? node.typeArguments?.[0] : node;
}
