import { clipped } from "../../../common/text.js";
import { oneLine } from "../../../common/errors.js";
import { isSchema, targetOf } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import type { HttpPlace } from "../../tool.js";
import { isForm, isJson, isMultipart } from "./mediaTypes.js";
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
  body?: { required: boolean; content: Content; encodings: Record<string, JsonSchema> };
  /** Where the API answers, relative to the document; none if the document does not say. */
  servers: string[];
  /** Names of security schemes; any one of the lists suffices. */
  security?: string[][];
  /** What its tool cannot do. */
  lacks: string[];
  /** The answer of a successful call. */
  success: { content: Content; headers: string[] };
}

export type Content = Record<string, unknown>;

export interface Parameter extends Omit<HttpPlace, "in"> {
  in: "path" | "query" | "header" | "cookie";
  required: boolean;
  schema: JsonSchema;
}

/** An operation that cannot be read. */
interface BadOperation extends Pick<Operation, "method" | "path" | "operationId"> {
  /** What is wrong, with its place in the document. */
  fault: string;
}

/** Methods that version 3.2 may have besides; those left out mean something to whoever passes a request on. */
const OTHER_METHODS = /^(?!(?:connect|trace|track)$)[a-z]+$/i;

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "query"];

/** Headers that the request sets itself. */
const OWN_HEADERS = new Set(["accept", "content-type", "authorization", "cookie", "host"]);

const PLACES: readonly string[] = ["path", "query", "header", "cookie"];

/** The operations of a document; each that cannot be read costs only itself. */
export function operationsOf(document: JsonSchema): {
  operations: Operation[];
  bad: BadOperation[];
} {
  const operations: Operation[] = [];
  const bad: BadOperation[] = [];
  const paths = Object.entries(objectIn(document["paths"]));
  for (const [written, given] of paths) {
    if (written.startsWith("x-")) continue;
    const path = plainPath(written);
    const place = `paths.${written}`;
    const lost = lostReference(given, document);
    if (lost !== undefined) {
      bad.push({ method: "ALL", path, fault: faultOf(lost, place) });
      continue;
    }
    const item = resolved(given, document);
    const others = objectIn(item["additionalOperations"]);
    for (const key of [
      ...METHODS,
      ...Object.keys(others).filter((key) => OTHER_METHODS.test(key)),
    ]) {
      const operation = item[key] ?? item[key.toUpperCase()] ?? others[key];
      if (operation === undefined || operation === null) continue;
      const method = key.toUpperCase();
      const read = readWhole({ document, item, operation, place: `${place}.${key}` });
      if ("fault" in read) bad.push({ method, path, ...said(operation), ...read });
      else operations.push({ method, path, ...withPathParameters(read, written) });
    }
  }
  return { operations, bad };
}

/** Reads one operation, or says what is wrong with it. */
function readWhole(given: {
  document: JsonSchema;
  item: JsonSchema;
  operation: unknown;
  place: string;
}): Omit<Operation, "method" | "path"> | { fault: string } {
  const { document, item, operation, place } = given;
  if (!isSchema(operation)) return { fault: `${place} is not an object` };
  const parameters = [item, operation].flatMap((one) => parametersIn(one["parameters"]));
  for (const [index, parameter] of parameters.entries()) {
    const lost = lostReference(parameter, document);
    if (lost !== undefined) return { fault: faultOf(lost, `${place}.parameters[${index}]`) };
  }
  const lost = lostReference(operation["requestBody"], document);
  if (lost !== undefined) return { fault: faultOf(lost, `${place}.requestBody`) };
  const known = distinct(parameters, document);
  const odd = known.filter(
    (one) => one["in"] === "header" && headerName(one["name"]) === undefined,
  );
  const named = odd.map(({ name }) => `a header called "${clipped(oneLine(String(name)), 60)}"`);
  const needed = odd.findIndex(({ required }) => isYes(required));
  if (needed !== -1)
    return { fault: `${place} demands ${named[needed]}, which no request can carry` };
  const read = { document, item, operation, parameters: known };
  const lacks = named.map((what) => `cannot send ${what}, which no request can carry`);
  return { ...said(operation), ...readOperation(read), lacks };
}

/** A reference that leads nowhere, followed through the references between. */
function lostReference(given: unknown, document: JsonSchema): string | undefined {
  let part = given;
  for (let steps = 0; steps < 50 && isSchema(part); steps += 1) {
    const { $ref } = part;
    if (typeof $ref !== "string") return undefined;
    const target = $ref.startsWith("#") ? targetOf({ root: document, ref: $ref }) : undefined;
    if (target === undefined) return $ref;
    part = target;
  }
  return undefined;
}

function isReserved(inBraces: string): boolean {
  return /^[+*]|[+*]$|:path$/.test(inBraces) || /=.*(?:\/|\*)/.test(inBraces);
}

/** Values that are not part of the document's structure. */
const EXAMPLES = new Set(["example", "examples", "default", "enum", "const"]);

/** The references anywhere in a document that lead nowhere, each once. */
export function lostReferences(document: JsonSchema): string[] {
  const lost = new Set<string>();
  const open: unknown[] = [document];
  const seen = new Set<unknown>();
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    if (typeof part !== "object" || part === null || seen.has(part)) continue;
    seen.add(part);
    const { $ref: ref } = objectIn(part);
    if (typeof ref === "string" && lostReference({ $ref: ref }, document) !== undefined)
      lost.add(ref);
    for (const [key, inner] of Object.entries(part)) if (!EXAMPLES.has(key)) open.push(inner ?? 0);
  }
  return [...lost];
}

function faultOf(ref: string, place: string): string {
  const shown = clipped(oneLine(ref), 100);
  return ref.startsWith("#")
    ? `${place} refers to ${shown}, which is not in the document`
    : `${place} refers to ${shown}, which cannot be read; other files have to be below the document's folder, or on its host`;
}

/**
 * A path with its parameters in plain braces: `/a/{b}` for `/a/{b+}`, `/a/{b=c/*}`, `/a/{b:[0-9]+}` and `/a/:b`. It
 * begins with a slash.
 */
function plainPath(written: string): string {
  const path = written
    // What a template adds to the query is declared as such.
    .replaceAll(/\{[?&#][^{}]*\}/g, "")
    .replaceAll(/\{([^{}]+)\}/g, (_, name: string) => `{${parameterName(name)}}`)
    .replaceAll(/(?<=^|\/):([A-Za-z_]\w*)(?=\/|$)/g, "{$1}");
  return path.startsWith("/") ? path : `/${path}`;
}

/** The name in the braces of a path: `path` for `+path`, `path*`, `path:path` and `path=projects/*`. */
function parameterName(inBraces: string): string {
  const name = inBraces.trim();
  return name.replace(/^[+*/.]/, "").replace(/(?:[=:].*|[+*?])$/s, "") || name;
}

/** Some documents name parameters only in the path, and only the path says which may contain slashes. */
function withPathParameters<Read extends Pick<Operation, "parameters">>(
  read: Read,
  written: string,
): Read {
  const reserved = reservedIn(written);
  const named = [...plainPath(written).matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const asNamed = ({ name }: Parameter) =>
    named.includes(name) ? name : (named.find((one) => letters(one) === letters(name)) ?? name);
  const known = read.parameters.map((each) =>
    each.in === "path" ? { ...each, name: asNamed(each) } : each,
  );
  const declared = new Set(known.flatMap((each) => (each.in === "path" ? each.name : [])));
  const added = [...new Set(named)]
    .filter((name) => !declared.has(name))
    .map((name) => ({ name, in: "path" as const, required: true, schema: { type: "string" } }));
  const parameters = [...known, ...added].map((each) =>
    each.in === "path" && reserved.has(each.name) ? { ...each, style: "reserved" } : each,
  );
  return { ...read, parameters };
}

/** A name as it is also written: `userid`, `user_id` and `userId` are the same. */
function letters(name: string): string {
  return name.replaceAll(/[\W_]/g, "").toLowerCase();
}

/** Parameters whose values may contain slashes, as their path says. */
function reservedIn(written: string): Set<string> {
  const named = [...written.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  return new Set(named.filter(isReserved).map(parameterName));
}

interface Place {
  document: JsonSchema;
  item: JsonSchema;
  operation: JsonSchema;
  /** Those of the operation replace those of its path. */
  parameters: JsonSchema[];
}

function said(operation: unknown) {
  const { operationId, summary, description, tags, deprecated } = objectIn(operation);
  const id = typeof operationId === "number" ? String(operationId) : operationId;
  const texts = [deprecated === true ? "Deprecated." : "", summary, description].filter(isText);
  return {
    ...(isText(id) ? { operationId: id } : {}),
    isDeprecated: deprecated === true,
    texts: [...new Set(texts.map((text) => text.trim()))],
    tags: listOf(tags).filter(isText),
  };
}

/** A list; some have a map by name. */
function parametersIn(value: unknown): unknown[] {
  if (!isSchema(value)) return listOf(value);
  return Object.entries(value).map(([name, one]) => (isSchema(one) ? { name, ...one } : one));
}

function distinct(parameters: readonly unknown[], document: JsonSchema): JsonSchema[] {
  const all = parameters.map((parameter) => {
    const read = resolved(parameter, document);
    // Version 3.2 may have a whole query in one parameter ("querystring").
    const named = String(read.in)
      .toLowerCase()
      .replace(/string$/, "");
    const place = PLACES.find((one) => one === named);
    return place ? { ...read, in: place } : read;
  });
  const byName = new Map(all.map((each) => [`${String(each.in)} ${String(each.name)}`, each]));
  return [...byName.values()];
}

function readOperation({ document, item, operation, parameters }: Place) {
  const body = isSchema(operation["requestBody"])
    ? resolved(operation["requestBody"], document)
    : oldBody(parameters, { operation, document });
  const content = contentOf(body);
  return {
    parameters: parameters.flatMap((each) => parameterOf(each, document)),
    ...(body && Object.keys(content).length > 0
      ? { body: { required: isYes(body["required"]), content, encodings: encodingsOf(body) } }
      : {}),
    servers: serversOf([operation, item, document]),
    ...securityOf(operation, document),
    success: successOf(operation, document),
  };
}

/** The body as documents of version 2.0 have it, which some of 3.0 still contain. */
function oldBody(
  parameters: readonly JsonSchema[],
  { operation, document }: Pick<Place, "operation" | "document">,
): JsonSchema | undefined {
  const whole = parameters.find((each) => each["in"] === "body");
  const types = listOf(operation["consumes"] ?? document["consumes"]).filter(isText);
  if (whole) {
    const media = { schema: whole["schema"] };
    const taken = types.length > 0 ? types : ["application/json"];
    return {
      required: whole["required"],
      content: Object.fromEntries(taken.map((type) => [type, media])),
    };
  }
  const fields = parameters.filter((each) => each["in"] === "formData" && isText(each["name"]));
  if (fields.length === 0) return undefined;
  const isParts = types.some(isMultipart) && !types.some(isForm);
  const hasFile = isParts || fields.some((each) => each["type"] === "file");
  const needed = fields.filter((each) => isYes(each["required"])).map(({ name }) => name);
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map((each) => [each["name"], ownSchema(each)])),
    required: needed,
  };
  const form = hasFile ? "multipart/form-data" : "application/x-www-form-urlencoded";
  const encoding = Object.fromEntries(
    fields.map((each) => [each["name"], collectionOf(each, document)]),
  );
  return { required: needed.length > 0, content: { [form]: { schema, encoding } } };
}

/** The schema of a parameter of version 2.0, which stands among its other fields. */
function ownSchema(given: JsonSchema): JsonSchema {
  const {
    name: _name,
    in: _in,
    required: _required,
    style: _style,
    collectionFormat: _format,
    type,
    ...schema
  } = given;
  return type === "file"
    ? { ...schema, type: "string", format: "binary" }
    : { ...schema, ...(type === undefined ? {} : { type }) };
}

/** How a list is written, where version 2.0 says so; there, commas join it unless a parameter says otherwise. */
function collectionOf({ type, collectionFormat }: JsonSchema, { openapi }: JsonSchema) {
  const usual = openapi === undefined && type === "array" ? "csv" : "";
  return COLLECTIONS[isText(collectionFormat) ? collectionFormat : usual];
}

const COLLECTIONS: Readonly<Record<string, object>> = {
  csv: { explode: false },
  ssv: { style: "spaceDelimited", explode: false },
  tsv: { style: "tabDelimited", explode: false },
  pipes: { style: "pipeDelimited", explode: false },
  multi: { explode: true },
};

function parameterOf(given: JsonSchema, document: JsonSchema): Parameter[] {
  const { name, in: where, required, description, style, explode } = given;
  const isReserved = given["allowReserved"] === true;
  if (!isText(name) || !isText(where) || !PLACES.includes(where)) return [];
  const header = where === "header" ? headerName(name) : "";
  if (header === undefined || OWN_HEADERS.has(header.toLowerCase())) return [];
  const [[type, media] = ["", undefined]] = Object.entries(contentOf(given));
  const schema = [given["schema"], media].find(isSchema) ?? ownSchema(given);
  return [
    {
      name: header || (where === "path" ? parameterName(name) : name),
      in: where as Parameter["in"],
      required: isYes(required) || where === "path",
      schema: isText(description) ? { ...schema, description } : schema,
      ...collectionOf(given, document),
      ...(isText(style) ? { style } : {}),
      ...(typeof explode === "boolean" ? { explode } : {}),
      ...(isReserved ? { allowReserved: true } : {}),
      ...(isJson(type) ? { style: "json" } : {}),
    },
  ];
}

/** A name that a header may have, without what is only sloppy; undefined for any other. */
export function headerName(written: unknown): string | undefined {
  const name = String(written).trim().replace(/:$/, "");
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) ? name : undefined;
}

function isYes(value: unknown): boolean {
  return value === true || value === "true";
}

/**
 * The servers at the nearest place that names any, with the default or first values of their variables. They may be texts,
 * lack their scheme, or be what version 2.0 has instead.
 */
function serversOf(places: readonly JsonSchema[]): string[] {
  const named = places.map(({ servers, ...older }) =>
    [servers ?? [], olderServer(older)]
      .flat()
      .map((each) => (isText(each) ? { url: each } : objectIn(each)))
      .filter(({ url }) => isText(url)),
  );
  return (named.find((all) => all.length > 0) ?? []).map(({ url, variables }) => {
    const server = String(url).replaceAll(/\{([^{}]+)\}/g, (braces, name: string) => {
      const { default: usual, enum: choices } = objectIn(objectIn(variables)[name]);
      const texts = [usual, ...listOf(choices)].filter(
        (one) => typeof one === "string" || typeof one === "number",
      );
      return String(texts[0] ?? braces);
    });
    const [, host = server] = /^\s*(?:\/\/)?(.*)$/s.exec(server) ?? [];
    if (/^(?:localhost|\d+(?:\.\d+){3})(?:[:/]|$)/i.test(host)) return `http://${host}`;
    const isBare = host !== server || /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}(?:[:/]|$)/i.test(host);
    return isBare && !/^\w+:\/\//.test(host) ? `https://${host}` : server;
  });
}

function olderServer({ host, basePath, schemes }: JsonSchema): string[] {
  const base = isText(basePath) ? `/${basePath.replace(/^\/+/, "")}` : "";
  if (!isText(host)) return base ? [base] : [];
  const named = listOf(schemes).map((each) => String(each).toLowerCase());
  const scheme = ["https", "http", ...named].find((each) => named.includes(each)) ?? "https";
  return [`${/^\w+:\/\//.test(host) ? "" : `${scheme}://`}${host.replace(/\/+$/, "")}${base}`];
}

function securityOf(operation: JsonSchema, document: JsonSchema): { security?: string[][] } {
  const security = operation["security"] ?? document["security"];
  if (typeof security !== "object" || security === null) return {};
  const ways = [security].flat().map((each) => (isText(each) ? { [each]: [] } : objectIn(each)));
  return { security: ways.map((each) => Object.keys(each)) };
}

function successOf(operation: JsonSchema, document: JsonSchema): Operation["success"] {
  const responses = Object.entries(objectIn(operation["responses"]));
  const codes = responses
    .filter(([code]) => /^2(\d\d|XX)$/i.test(code))
    .toSorted(([a], [b]) => a.localeCompare(b));
  const known = codes.length > 0 ? codes : responses.filter(([code]) => code === "default");
  const answers = known.map(([, response]) => resolved(response, document));
  const told = answers.find((each) => Object.keys(contentOf(each)).length > 0) ?? answers[0] ?? {};
  const headers = Object.keys(objectIn(told["headers"]));
  return { content: contentOf(told), headers: headers.map((name) => name.toLowerCase()) };
}

function contentOf(holder: JsonSchema | undefined): Content {
  // Responses of version 2.0 have their schema themselves.
  const isOld = isSchema(holder?.["schema"]) && !("in" in holder);
  const old = isOld ? { "application/json": { schema: holder["schema"] } } : {};
  const content = isSchema(holder?.["content"]) ? holder["content"] : old;
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => [type, objectIn(media)["schema"] ?? {}]),
  );
}

/** How the fields of forms are written, by media type. */
function encodingsOf(body: JsonSchema): Record<string, JsonSchema> {
  const encodings = Object.entries(objectIn(body["content"])).flatMap(([type, media]) => {
    const { encoding } = objectIn(media);
    const fields = Object.entries(objectIn(encoding)).map(([name, how]) => {
      const { contentType, ...others } = objectIn(how);
      // Of several types, the file says which it is.
      const isOne = isText(contentType) && !/[*,]/.test(contentType);
      const style = isOne && isJson(contentType) ? { style: "json" } : {};
      return [name, { ...others, ...style, ...(isOne ? { contentType } : {}) }];
    });
    return fields.length > 0 ? [[type, Object.fromEntries(fields)] as const] : [];
  });
  return Object.fromEntries(encodings);
}

function objectIn(value: unknown): JsonSchema {
  return isSchema(value) ? value : {};
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
