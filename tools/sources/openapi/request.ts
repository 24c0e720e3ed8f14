import { randomUUID } from "node:crypto";
import type { HttpBody, HttpOperation, HttpPlace } from "../../tool.js";
import { isForm, isJson, isMultipart } from "./mediaTypes.js";
import { exactJson } from "../../../common/exactJson.js";
import type { ReadyCredential } from "./settings.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Headers;
  body?: string | Blob;
}

/**
 * Makes a request from the arguments of a call, which are already checked.
 *
 * @throws Error in one line for a value that no request can carry
 */
export function requestOf(options: {
  operation: HttpOperation;
  args: Readonly<Record<string, unknown>>;
  credentials: readonly ReadyCredential[];
}): HttpRequest {
  const { operation, args, credentials } = options;
  const { method, server, places, body } = operation;
  const given = Object.entries(args);
  const placed = given.flatMap(([name, value]) => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    return place && value !== undefined ? [{ place, value }] : [];
  });
  const url = addressOf(server, pathOf(operation.path, placed));
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  const cookies: Pair[] = [];
  const query: Pair[] = [];
  for (const { place, value } of placed) {
    if (value === null && place.in !== "body") continue;
    if (place.in === "query") query.push(...pairsOf(place, value));
    else if (place.in === "header") setHeader(headers, place.name, headerText(place, value));
    else if (place.in === "cookie") cookies.push(...pairsOf(place, value));
  }
  for (const credential of credentials) addCredential(credential, { query, headers, cookies });
  url.search = [url.search.slice(1), ...query.map(inQuery)].filter(Boolean).join("&");
  if (cookies.length > 0) {
    headers.set("cookie", cookies.map(([name, text]) => `${name}=${text}`).join("; "));
  }
  const sent = body && bodyText(body, bodyValue(body, { given, places }), headers);
  return { method, url, headers, ...(sent === undefined ? {} : { body: sent }) };
}

/** The address of an operation; whatever query the server has goes with each of them. */
function addressOf(server: string, path: string): URL {
  const base = new URL(server);
  const url = new URL(`${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`);
  url.search = [url.search, base.search]
    .map((query) => query.slice(1))
    .filter(Boolean)
    .join("&");
  return url;
}

function inQuery([name, text]: Pair): string {
  return `${encodeURIComponent(name)}=${text}`;
}

function pathOf(path: string, placed: readonly { place: HttpPlace; value: unknown }[]): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const found = placed.find(({ place }) => place.in === "path" && place.name === name);
    const text = found ? pathText(found.place, found.value) : "";
    // These would make it another operation.
    if (text !== "" && !text.split("/").some((step) => step === "." || step === "..")) return text;
    throw new Error(`\`${name}\` is part of the address and cannot be "${text}"`);
  });
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    // A header holds bytes; letters beyond Latin-1 are sent in UTF-8.
    const isBeyond = Buffer.from(value, "latin1").toString("latin1") !== value;
    headers.set(name, isBeyond ? Buffer.from(value, "utf8").toString("latin1") : value);
  } catch {
    throw new Error(`the header ${name} cannot hold line breaks or other control characters`);
  }
}

function addCredential(
  { as, name = "", secret }: ReadyCredential,
  { query, headers, cookies }: { query: Pair[]; headers: Headers; cookies: Pair[] },
): void {
  const pair: Pair = [name, encodeURIComponent(secret)];
  if (as === "bearer") {
    setHeader(headers, "authorization", `Bearer ${secret.replace(/^Bearer\s+/i, "")}`);
  } else if (as === "basic") {
    setHeader(headers, "authorization", `Basic ${Buffer.from(secret).toString("base64")}`);
  } else if (as === "header") setHeader(headers, name, secret);
  else if (as === "query")
    query.splice(0, Infinity, ...query.filter(([one]) => one !== name), pair);
  else cookies.push(pair);
}

/** What goes into the body: one argument, or an object of all arguments without another place. */
function bodyValue(
  { argument }: HttpBody,
  { given, places }: Pick<HttpOperation, "places"> & { given: readonly [string, unknown][] },
): unknown {
  if (argument !== undefined) return given.find(([name]) => name === argument)?.[1];
  const fields = given.flatMap(([name, value]): [string, unknown][] => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    if (place && place.in !== "body") return [];
    return value === undefined ? [] : [[place?.name ?? name, value]];
  });
  return Object.fromEntries(fields);
}

function bodyText(
  { mediaType, encoding }: HttpBody,
  value: unknown,
  headers: Headers,
): HttpRequest["body"] {
  if (value === undefined) return undefined;
  if (isMultipart(mediaType)) return multipart(value, mediaType, encoding);
  if (value instanceof File && mediaType.includes("*")) {
    headers.set("content-type", value.type || "application/octet-stream");
    return value;
  }
  headers.set("content-type", mediaType === "*/*" ? "application/json" : mediaType);
  if (isJson(mediaType)) return exactJson(value);
  if (isForm(mediaType)) return formText(value, encoding);
  return value instanceof File ? value : textOf(value);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return isSchema(value) && !(value instanceof File);
}

function formText(value: unknown, encoding: HttpBody["encoding"] = {}): string {
  const fields = isObject(value) ? Object.entries(value) : [];
  const pairs = fields.flatMap(([name, each]) => {
    // Lists of plain values are written as several fields; deeper values carry the names of their parents.
    const usual = isPlain(each) ? {} : { style: "deepObject" };
    return pairsOf({ ...usual, ...encoding[name], name }, each);
  });
  return pairs.map((pair) => inQuery(pair).replaceAll("%20", "+")).join("&");
}

function isPlain(value: unknown): boolean {
  return [value].flat().every((each) => !isObject(each) && !Array.isArray(each));
}

/**
 * A body of several parts: files as such, objects as JSON with its media type, by which many servers tell them from texts.
 * `FormData` cannot say the media type of a part without a file name.
 */
function multipart(value: unknown, mediaType: string, encoding: HttpBody["encoding"] = {}): Blob {
  const boundary = `tulipgraph-${randomUUID()}`;
  const parts = Object.entries(isObject(value) ? value : {}).flatMap(([name, each]) =>
    [each].flat().flatMap((part) => partOf(name, part, encoding[name]?.contentType)),
  );
  const whole = parts.flatMap((part) => [`--${boundary}\r\n`, ...part, "\r\n"]);
  const [type = mediaType] = mediaType.split(";");
  return new Blob([...whole, `--${boundary}--\r\n`], { type: `${type}; boundary=${boundary}` });
}

function partOf(name: string, value: unknown, said?: string): BlobPart[][] {
  if (value === null) return [];
  const isFile = value instanceof File;
  const usual = isFile ? value.type || "application/octet-stream" : "application/json";
  const type = said ?? (isFile || isObject(value) ? usual : undefined);
  const head = [
    `Content-Disposition: form-data; name=${quoted(name)}`,
    isFile ? `; filename=${quoted(value.name)}` : "",
    type === undefined ? "" : `\r\nContent-Type: ${type}`,
  ];
  return [[`${head.join("")}\r\n\r\n`, isFile ? value : textOf(value)]];
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\r\n]/g, encodeURIComponent)}"`;
}

/** A name and a value of a query, form or cookie; the value is encoded, what stands between its parts is not. */
type Pair = readonly [name: string, value: string];

const DELIMITERS: Record<string, string> = {
  spaceDelimited: "%20",
  pipeDelimited: "|",
  tabDelimited: "%09",
};

/**
 * An argument as OpenAPI writes it into a query, a form or cookies: a list as several pairs or one; an object as its
 * fields, as `name[field]`, or as one pair.
 */
function pairsOf(place: Omit<HttpPlace, "in">, given: unknown): Pair[] {
  const { name, style = "form", explode = style === "form" || style === "deepObject" } = place;
  const value = Array.isArray(given) ? given.filter((each) => each !== null) : given;
  const between = DELIMITERS[style] ?? ",";
  const encoded = place.allowReserved ? reserved : encodeURIComponent;
  if (value === undefined || value === null) return [];
  if (style === "json") return [[name, encoded(exactJson(value))]];
  if (style === "deepObject") return nested(name, value);
  if (Array.isArray(value)) {
    const texts = value.map((each) => encoded(textOf(each)));
    return explode ? texts.map((text) => [name, text]) : [[name, texts.join(between)]];
  }
  if (!isObject(value)) return [[name, encoded(textOf(value))]];
  if (explode) return Object.entries(value).map(([field, each]) => [field, encoded(textOf(each))]);
  return [[name, fieldsIn(value, between, encoded).join(between)]];
}

/** Encodes what would end a value, and leaves the other signs of addresses as they are. */
function reserved(text: string): string {
  return encodeURI(text).replaceAll(/[&#+]/g, encodeURIComponent);
}

/** `filter[a][0][b]=1`: goes deeper than OpenAPI defines, in the way most APIs accept. */
function nested(name: string, value: unknown): Pair[] {
  if (Array.isArray(value)) return value.flatMap((each, at) => nested(`${name}[${at}]`, each));
  if (value === undefined || value === null) return [];
  if (!isObject(value)) return [[name, encodeURIComponent(textOf(value))]];
  return Object.entries(value).flatMap(([field, each]) => nested(`${name}[${field}]`, each));
}

/** An argument as OpenAPI writes it into a path, encoded. */
function pathText(place: HttpPlace, value: unknown): string {
  const { name, style, explode = false, allowReserved } = place;
  if (style === "json") return encodeURIComponent(exactJson(value));
  if (style === "reserved" || allowReserved)
    return textOf(value).split("/").map(encodeURIComponent).join("/");
  const parts = partsOf(value, explode, encodeURIComponent);
  if (style === "label") return parts.map((part) => `.${part}`).join("");
  if (style !== "matrix") return parts.join(",");
  if (!explode) return `;${name}=${parts.join(",")}`;
  return parts.map((part) => (isObject(value) ? `;${part}` : `;${name}=${part}`)).join("");
}

/** An argument as OpenAPI writes it into a header. */
function headerText({ style, explode = false }: HttpPlace, value: unknown): string {
  if (style === "json") return exactJson(value);
  return partsOf(value, explode).join(",");
}

function partsOf(value: unknown, explode: boolean, encoded = asItIs): string[] {
  if (isObject(value)) return fieldsIn(value, explode ? "=" : ",", encoded);
  return (Array.isArray(value) ? value : [value]).map((each) => encoded(textOf(each)));
}

function fieldsIn(value: Record<string, unknown>, between: string, encoded = asItIs): string[] {
  return Object.entries(value).map(
    ([field, each]) => `${encoded(field)}${between}${encoded(textOf(each))}`,
  );
}

function asItIs(text: string): string {
  return text;
}

/** A plain value as text, a file as its name, anything else as JSON. */
function textOf(value: unknown): string {
  if (value instanceof File) return value.name;
  return typeof value === "object" && value !== null ? exactJson(value) : String(value);
}
