import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpPlace } from "../../tool.js";
import { resolved } from "./plainSchema.js";

/** One operation of a document, whatever the version of OpenAPI. */
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
  const read = document["swagger"] === undefined ? readOperation : readSwagger;
  const paths = Object.entries(isSchema(document["paths"]) ? document["paths"] : {});
  return paths.flatMap(([path, given]) => {
    const item = resolved(given, document);
    return METHODS.flatMap((method) => {
      const operation = item[method];
      if (!isSchema(operation)) return [];
      const parameters = [...listOf(item["parameters"]), ...listOf(operation["parameters"])];
      const place = { document, item, operation, parameters: distinct(parameters, document) };
      return [{ method: method.toUpperCase(), path, ...said(operation), ...read(place) }];
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
    success: successOf(operation, document, contentOf),
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

/** An operation as OpenAPI 2.0 (Swagger) writes it. */
function readSwagger({ document, operation, parameters }: Place) {
  const inBody = parameters.filter(({ in: where }) => where === "body" || where === "formData");
  const consumed = mediaTypes(operation["consumes"] ?? document["consumes"], "application/json");
  const produced = mediaTypes(operation["produces"] ?? document["produces"], "application/json");
  return {
    parameters: parameters.flatMap((each) =>
      parameterOf({ ...each, schema: each, ...collection(each["collectionFormat"]) }).map(
        (parameter) => ({ ...parameter, schema: ownSchema(each) }),
      ),
    ),
    ...(inBody.length > 0 ? { body: swaggerBody(inBody, consumed) } : {}),
    ...swaggerServer(document),
    ...securityOf(operation, document),
    success: successOf(operation, document, ({ schema }) =>
      schema === undefined ? {} : Object.fromEntries(produced.map((type) => [type, schema])),
    ),
  };
}

function swaggerBody(parameters: readonly JsonSchema[], consumed: readonly string[]) {
  const required = parameters.filter((each) => each["required"] === true);
  const [whole] = parameters.filter(({ in: where }) => where === "body");
  if (whole) {
    const { schema, description } = whole;
    const said = isSchema(schema) && isText(description) ? { ...schema, description } : schema;
    const content = Object.fromEntries(consumed.map((type) => [type, said ?? {}]));
    return { required: required.length > 0, content };
  }
  const hasFile = parameters.some(({ type }) => type === "file");
  const type =
    consumed.find((each) => each.startsWith("multipart/") || each.endsWith("urlencoded")) ??
    (hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded");
  const properties = parameters.map((each) => [each["name"], ownSchema(each)]);
  const schema = {
    type: "object",
    properties: Object.fromEntries(properties),
    required: required.map(({ name }) => name),
  };
  return { required: required.length > 0, content: { [type]: schema } };
}

/** In 2.0 a parameter is itself a schema, with extra keywords. */
function ownSchema(parameter: JsonSchema): JsonSchema {
  const { name: _name, in: _in, required: _required, ...schema } = parameter;
  return schema;
}

/** How 2.0 writes lists. */
const COLLECTIONS: Record<string, Pick<HttpPlace, "style" | "explode">> = {
  csv: { explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { explode: true },
};

function collection(format: unknown): Pick<HttpPlace, "style" | "explode"> {
  return COLLECTIONS[isText(format) ? format : "csv"] ?? {};
}

function swaggerServer({ host, schemes, basePath }: JsonSchema): { server?: string } {
  const path = isText(basePath) ? basePath : "/";
  if (!isText(host)) return isText(basePath) ? { server: path } : {};
  const known = listOf(schemes).filter(isText);
  const scheme = known.includes("https") ? "https" : (known[0] ?? "https");
  return { server: `${scheme}://${host}${path}` };
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

function successOf(
  operation: JsonSchema,
  document: JsonSchema,
  read: (response: JsonSchema) => Content,
): Operation["success"] {
  const responses = Object.entries(isSchema(operation["responses"]) ? operation["responses"] : {});
  const codes = responses
    .filter(([code]) => /^2(\d\d|XX)$/i.test(code))
    .toSorted(([a], [b]) => a.localeCompare(b));
  const known = codes.length > 0 ? codes : responses.filter(([code]) => code === "default");
  const answers = known.map(([, response]) => resolved(response, document));
  const told = answers.find((each) => Object.keys(read(each)).length > 0) ?? answers[0] ?? {};
  const headers = Object.keys(isSchema(told["headers"]) ? told["headers"] : {});
  return { content: read(told), headers: headers.map((name) => name.toLowerCase()) };
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

function mediaTypes(given: unknown, usual: string): string[] {
  const types = listOf(given).filter(isText);
  return types.length > 0 ? types : [usual];
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
