import { freeName } from "../../../common/codeNames.js";
import { grouped } from "../../../common/grouped.js";
import { anySchema } from "../../../common/schemas/typeWords.js";
import { isArgumentName, plainName } from "../../../common/schemas/argumentNames.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpBody, HttpPlace, ParametersSchema } from "../../tool.js";
import { isForm, isJson, isMultipart } from "./mediaTypes.js";
import type { Content, Operation } from "./operations.js";
import { merged, plainSchema, requiredOf, resolved } from "./plainSchema.js";

/** The arguments of an operation as one object, and how to make a request of them. */
export interface Arguments {
  parameters: ParametersSchema;
  places: Record<string, HttpPlace>;
  body?: HttpBody;
}

/** Characters of the schema of an operation's arguments: about 4,000 tokens. */
const LONGEST_PARAMETERS = 16_000;

/** How deep alternatives of alternatives are followed. */
const DEEPEST = 8;

/**
 * Puts path, query, header, cookie and body parameters into one object. If two have the same name, the first in this
 * order keeps it and the others say where they belong: `name_body`.
 *
 * @returns undefined if there are more than a model can be shown
 */
export function argumentsOf(
  { parameters, body }: Pick<Operation, "parameters" | "body">,
  document: JsonSchema,
): Arguments | undefined {
  const order = ["path", "query", "header", "cookie"];
  const sorted = parameters.toSorted((a, b) => order.indexOf(a.in) - order.indexOf(b.in));
  const taken = new Set<string>();
  const places: Record<string, HttpPlace> = {};
  const properties: Record<string, unknown> = {};
  const required: string[] = [];
  const add = (place: HttpPlace, { schema, needed }: { schema: unknown; needed: boolean }) => {
    const name = nameOf(place, taken);
    taken.add(name);
    properties[name] = schema;
    if (needed) required.push(name);
    // An argument of the body under its own name needs no place.
    if (place.in !== "body" || place.name !== name) places[name] = place;
    return name;
  };
  for (const { required: needed, schema, ...place } of sorted) {
    // A property that is read-only in the API may still be a parameter.
    add(place, { schema: { ...schema, readOnly: false }, needed });
  }
  const sent = body && bodyOf(body, document);
  for (const [name, schema] of Object.entries(sent?.properties ?? {})) {
    const needed = sent?.required.includes(name) ?? false;
    const argument = add({ in: "body", name }, { schema, needed });
    if (sent?.http.argument === name) {
      delete places[argument];
      sent.http.argument = argument;
    }
  }
  const whole = {
    type: "object",
    properties,
    required,
    additionalProperties: sent?.additionalProperties,
  };
  const isText = !isMultipart(sent?.http.mediaType ?? "");
  const use = { document, side: "request", most: LONGEST_PARAMETERS, isText } as const;
  const schema = plainSchema(whole, use);
  if (!schema) return undefined;
  return {
    parameters: { ...schema, type: "object", properties: propertiesOf(schema) },
    places,
    ...(sent ? { body: sent.http } : {}),
  };
}

function propertiesOf({ properties }: JsonSchema): ParametersSchema["properties"] {
  return isSchema(properties) ? (properties as ParametersSchema["properties"]) : {};
}

function nameOf(place: HttpPlace, taken: ReadonlySet<string>): string {
  const own = isArgumentName(place.name) ? place.name : plainName(place.name) || place.in;
  return taken.has(own) ? freeName(`${own.slice(0, 50)}_${place.in}`, taken) : own;
}

interface SentBody {
  http: HttpBody;
  properties: Record<string, unknown>;
  required: readonly string[];
  additionalProperties?: unknown;
}

/** The properties of an object become separate arguments; any other body is one argument. A form without fields is none. */
function bodyOf(
  { content, required, encodings }: NonNullable<Operation["body"]>,
  document: JsonSchema,
): SentBody | undefined {
  const [mediaType, schema] = chosen(content, document);
  const encoding = encodings[mediaType] as HttpBody["encoding"];
  const shape = isFields(mediaType) ? objectShape(schema, document) : undefined;
  if (shape && Object.keys(shape.properties).length > 0) {
    const http = { mediaType, ...(encoding && !isJson(mediaType) ? { encoding } : {}) };
    return { http, ...shape, required: required ? shape.required : [] };
  }
  if (isForm(mediaType) && shape && !shape.additionalProperties) return undefined;
  const name = "body";
  return {
    http: { mediaType, argument: name },
    properties: { [name]: isFields(mediaType) ? schema : textSchema(schema, mediaType) },
    required: required ? [name] : [],
  };
}

function chosen(content: Content, document: JsonSchema): [string, unknown] {
  const types = Object.entries(content);
  const isUpload = (type: string) =>
    isMultipart(type) &&
    Object.values(objectShape(content[type], document)?.properties ?? {}).some((each) =>
      isFile(each, document),
    );
  const wanted = [
    isUpload,
    isJson,
    isForm,
    isMultipart,
    (type: string) => type.startsWith("text/"),
  ];
  for (const isWanted of wanted) {
    const found = types.find(([type]) => isWanted(type));
    if (found) return found;
  }
  return types[0] ?? ["application/json", {}];
}

/** Whether a field of a form is a file, or a list of some. */
function isFile(given: unknown, document: JsonSchema): boolean {
  const { format, contentMediaType, contentEncoding, items } = resolved(given, document);
  if (isSchema(items)) return isFile(items, document);
  return format === "binary" || (contentMediaType !== undefined && contentEncoding === undefined);
}

/** Anything but JSON and forms is sent as text. */
function textSchema(schema: unknown, mediaType: string): JsonSchema {
  const described = isSchema(schema) ? schema["description"] : undefined;
  const description = typeof described === "string" ? described : `The body, as ${mediaType}`;
  return { type: "string", description };
}

function isFields(type: string): boolean {
  return isJson(type) || isForm(type) || isMultipart(type);
}

interface ObjectShape {
  properties: Record<string, unknown>;
  required: string[];
  additionalProperties?: unknown;
}

/**
 * The properties of a schema that can only be an object. Of alternatives, all properties are allowed, and only what
 * every alternative requires is required: providers accept no alternatives at the root, and the API checks the rest.
 */
function objectShape(given: unknown, document: JsonSchema, depth = 0): ObjectShape | undefined {
  if (depth > DEEPEST) return undefined;
  const schema = merged(resolved(given, document), { document });
  const { type, properties, additionalProperties } = schema;
  if (!(type === undefined || type === "object")) return undefined;
  const alternatives = [schema["anyOf"], schema["oneOf"]].flatMap((some) =>
    Array.isArray(some) ? some : [],
  );
  const own = isSchema(properties) ? properties : {};
  const shapes = alternatives.map((each) => objectShape(each, document, depth + 1));
  const isObject = type === "object" || isSchema(properties) || requiredOf(schema).length > 0;
  if (shapes.length === 0 && !isObject) return undefined;
  const known = shapes.filter((shape) => shape !== undefined);
  if (known.length < shapes.length) return undefined;
  const shared = known[0]?.required.filter((name) =>
    known.every((shape) => shape.required.includes(name)),
  );
  return {
    properties: { ...together(known), ...own },
    required: [...new Set([...requiredOf(schema), ...(shared ?? [])])],
    additionalProperties,
  };
}

/** A property that alternatives describe differently may be any of these. */
function together(shapes: readonly ObjectShape[]): Record<string, unknown> {
  const entries = shapes.flatMap(({ properties }) => Object.entries(properties));
  const named = [...grouped(entries, ([name]) => name)];
  return Object.fromEntries(
    named.map(([name, ways]) => [name, anySchema(ways.map(([, schema]) => schema as JsonSchema))]),
  );
}
