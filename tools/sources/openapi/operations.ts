import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpPlace } from "../../tool.js";
import { resolved } from "./plainSchema.js";

/** One operation of a document. */
export interface Operation {
  method: string;
  path: string;
  operationId?: string;
  isDeprecated: boolean;
  /** What it does: first the summary, then the description. */
  texts: string[];
  tags: string[];
  parameters: Parameter[];
  body?: { required: boolean; content: Content };
  /** Where the API answers, relative to the document; undefined if the document does not say. */
  server?: string;
  /** Names of security schemes; any one of the lists suffices. */
  security?: string[][];
  /** The answer of a successful call. */
  success: { content: Content; headers: string[] };
}

export type Content = Record<string, unknown>;

export interface Parameter extends Omit<HttpPlace, "in"> {
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  schema: JsonSchema;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Headers that the request sets itself. */
const OWN_HEADERS = new Set(["accept", "content-type", "authorization", "cookie", "host"]);

const PLACES: readonly string[] = ["path", "query", "header", "cookie"];

export function operationsOf(document: JsonSchema): Operation[] {
  const paths = Object.entries(isSchema(document["paths"]) ? document["paths"] : {});
  return paths.flatMap(([path, given]) => {
    const item = resolved(given, document);
    return METHODS.flatMap((method) => {
      const operation = item[method];
      if (!isSchema(operation)) return [];
      const parameters = [...listOf(item["parameters"]), ...listOf(operation["parameters"])];
      const place = { document, item, operation, parameters: distinct(parameters, document) };
      return [{ method: method.toUpperCase(), path, ...said(operation), ...readOperation(place) }];
    });
  });
}

interface Place {
  document: JsonSchema;
  item: JsonSchema;
  operation: JsonSchema;
  /** Those of the operation replace those of its path. */
  parameters: JsonSchema[];
}

function said({ operationId, summary, description, tags, deprecated }: JsonSchema) {
  const texts = [deprecated === true ? "Deprecated." : "", summary, description].filter(isText);
  return {
    ...(isText(operationId) ? { operationId } : {}),
    isDeprecated: deprecated === true,
    texts: [...new Set(texts.map((text) => text.trim()))],
    tags: listOf(tags).filter(isText),
  };
}

function distinct(parameters: readonly unknown[], document: JsonSchema): JsonSchema[] {
  const all = parameters.map((parameter) => resolved(parameter, document));
  return [
    ...new Map(all.map((each) => [`${String(each.in)} ${String(each.name)}`, each])).values(),
  ];
}

function readOperation({ document, item, operation, parameters }: Place) {
  const body = isSchema(operation["requestBody"])
    ? resolved(operation["requestBody"], document)
    : undefined;
  const content = contentOf(body);
  return {
    parameters: parameters.flatMap((each) => parameterOf(each)),
    ...(body && Object.keys(content).length > 0
      ? { body: { required: body["required"] === true, content } }
      : {}),
    ...serverOf([operation, item, document]),
    ...securityOf(operation, document),
    success: successOf(operation, document),
  };
}

function parameterOf(given: JsonSchema): Parameter[] {
  const { name, in: where, required, description, style, explode } = given;
  if (!isText(name) || !isText(where) || !PLACES.includes(where)) return [];
  if (where === "header" && OWN_HEADERS.has(name.toLowerCase())) return [];
  const [media] = Object.values(contentOf(given));
  const schema = isSchema(given["schema"]) ? given["schema"] : isSchema(media) ? media : {};
  return [
    {
      name,
      in: where as Parameter["in"],
      required: required === true || where === "path",
      schema: isText(description) ? { ...schema, description } : schema,
      ...(isText(style) ? { style } : {}),
      ...(typeof explode === "boolean" ? { explode } : {}),
      ...(media === undefined ? {} : { style: "json" }),
    },
  ];
}

/** The first server at the nearest place that names any, with the default values of its variables. */
function serverOf(places: readonly JsonSchema[]): { server?: string } {
  for (const { servers } of places) {
    const [first] = listOf(servers).filter(isSchema);
    if (!first || !isText(first["url"])) continue;
    const variables = isSchema(first["variables"]) ? first["variables"] : {};
    const server = first["url"].replaceAll(/\{([^{}]+)\}/g, (braces, name: string) => {
      const variable = variables[name];
      return isSchema(variable) && isText(variable["default"]) ? variable["default"] : braces;
    });
    return { server };
  }
  return {};
}

function securityOf(operation: JsonSchema, document: JsonSchema): { security?: string[][] } {
  const security = operation["security"] ?? document["security"];
  if (!Array.isArray(security)) return {};
  return { security: security.filter(isSchema).map((each) => Object.keys(each)) };
}

function successOf(operation: JsonSchema, document: JsonSchema): Operation["success"] {
  const responses = Object.entries(isSchema(operation["responses"]) ? operation["responses"] : {});
  const codes = responses
    .filter(([code]) => /^2(\d\d|XX)$/i.test(code))
    .toSorted(([a], [b]) => a.localeCompare(b));
  const known = codes.length > 0 ? codes : responses.filter(([code]) => code === "default");
  const answers = known.map(([, response]) => resolved(response, document));
  const told = answers.find((each) => Object.keys(contentOf(each)).length > 0) ?? answers[0] ?? {};
  const headers = Object.keys(isSchema(told["headers"]) ? told["headers"] : {});
  return { content: contentOf(told), headers: headers.map((name) => name.toLowerCase()) };
}

function contentOf(holder: JsonSchema | undefined): Content {
  const content = isSchema(holder?.["content"]) ? holder["content"] : {};
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [
      type,
      isSchema(media) ? (media["schema"] ?? {}) : {},
    ]),
  );
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
