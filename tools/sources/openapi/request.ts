import type { HttpBody, HttpOperation, HttpPlace } from "../../tool.js";
import { isForm, isJson, isMultipart } from "./arguments.js";
import type { ReadyCredential } from "./settings.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";

export interface HttpRequest {
  method: string;
  url: URL;
  headers: Headers;
  body?: string | FormData;
}

/**
 * Makes a request from the arguments of a call, which are already checked.
 *
 * @throws Error in one line for a value that no request can carry
 */
export function requestOf({
  operation,
  args,
  credentials,
}: {
  operation: HttpOperation;
  args: Readonly<Record<string, unknown>>;
  credentials: readonly ReadyCredential[];
}): HttpRequest {
  const { method, server, places, body } = operation;
  const given = Object.entries(args);
  const placed = given.flatMap(([name, value]) => {
    const place = Object.hasOwn(places, name) ? places[name] : undefined;
    return place && value !== undefined ? [{ place, value }] : [];
  });
  const url = new URL(server.replace(/\/+$/, "") + pathOf(operation.path, placed));
  const headers = new Headers({ accept: "application/json, */*;q=0.5" });
  const cookies: Pair[] = [];
  for (const { place, value } of placed) {
    if (place.in === "query") {
      for (const [name, text] of pairsOf(place, value)) url.searchParams.append(name, text);
    } else if (place.in === "header") setHeader(headers, place.name, headerText(place, value));
    else if (place.in === "cookie") cookies.push(...pairsOf(place, value));
  }
  for (const credential of credentials) addCredential(credential, { url, headers, cookies });
  if (cookies.length > 0) {
    const text = cookies.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    headers.set("cookie", text.join("; "));
  }
  const sent = body && bodyText(body, bodyValue(body, { given, places }), headers);
  return { method, url, headers, ...(sent === undefined ? {} : { body: sent }) };
}

function pathOf(path: string, placed: readonly { place: HttpPlace; value: unknown }[]): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const found = placed.find(({ place }) => place.in === "path" && place.name === name);
    const text = found ? pathText(found.place, found.value) : "";
    // These would make it another operation.
    if (text !== "" && text !== "." && text !== "..") return text;
    throw new Error(`\`${name}\` is part of the address and cannot be "${text}"`);
  });
}

function setHeader(headers: Headers, name: string, value: string): void {
  try {
    headers.set(name, value);
  } catch {
    throw new Error(`the header ${name} cannot hold line breaks or other control characters`);
  }
}

function addCredential(
  { as, name = "", secret }: ReadyCredential,
  { url, headers, cookies }: { url: URL; headers: Headers; cookies: Pair[] },
): void {
  if (as === "bearer") setHeader(headers, "authorization", `Bearer ${secret}`);
  else if (as === "basic") {
    setHeader(headers, "authorization", `Basic ${Buffer.from(secret).toString("base64")}`);
  } else if (as === "header") setHeader(headers, name, secret);
  else if (as === "query") url.searchParams.set(name, secret);
  else cookies.push([name, secret]);
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
  { mediaType }: HttpBody,
  value: unknown,
  headers: Headers,
): string | FormData | undefined {
  if (value === undefined) return undefined;
  if (isMultipart(mediaType)) return formData(value);
  headers.set("content-type", mediaType === "*/*" ? "application/json" : mediaType);
  if (isJson(mediaType)) return JSON.stringify(value);
  return isForm(mediaType) ? formText(value) : textOf(value);
}

function fieldsOf(value: unknown): Pair[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]: [string, unknown]) =>
    isPlain(each) ? pairsOf({ name }, each) : pairsOf({ name, style: "deepObject" }, each),
  );
}

/** Lists of plain values are written as several fields; deeper values carry the names of their parents. */
function isPlain(value: unknown): boolean {
  const parts: unknown[] = Array.isArray(value) ? value : [value];
  return parts.every((each) => typeof each !== "object" || each === null);
}

function formText(value: unknown): string {
  return new URLSearchParams(fieldsOf(value).map(([name, text]) => [name, text])).toString();
}

/** Objects are sent as separate parts, in JSON. */
function formData(value: unknown): FormData {
  const form = new FormData();
  if (typeof value !== "object" || value === null) return form;
  for (const [name, each] of Object.entries(value) as [string, unknown][]) {
    for (const part of Array.isArray(each) ? each : [each]) form.append(name, textOf(part));
  }
  return form;
}

/** A name and a value of a query, form or cookie, not yet encoded. */
type Pair = readonly [name: string, value: string];

const DELIMITERS: Record<string, string> = {
  spaceDelimited: " ",
  pipeDelimited: "|",
};

/**
 * An argument as OpenAPI writes it into a query, a form or cookies: a list as several pairs or one; an object as its
 * fields, as `name[field]`, or as one pair.
 */
function pairsOf(place: Pick<HttpPlace, "name" | "style" | "explode">, value: unknown): Pair[] {
  const { name, style = "form", explode = style === "form" || style === "deepObject" } = place;
  if (value === undefined || value === null) return [];
  if (style === "json") return [[name, JSON.stringify(value)]];
  if (Array.isArray(value)) {
    if (style === "deepObject") return value.flatMap((each, at) => nested(`${name}[${at}]`, each));
    if (explode) return value.map((each) => [name, textOf(each)]);
    return [[name, value.map(textOf).join(DELIMITERS[style] ?? ",")]];
  }
  if (!isObject(value)) return [[name, textOf(value)]];
  if (style === "deepObject") return nested(name, value);
  if (explode) return Object.entries(value).map(([field, each]) => [field, textOf(each)]);
  return [[name, fieldsIn(value, ",").join(DELIMITERS[style] ?? ",")]];
}

/** `filter[a][b]=1`: goes deeper than OpenAPI defines, in the way most APIs accept. */
function nested(name: string, value: unknown): Pair[] {
  if (Array.isArray(value)) return value.map((each) => [`${name}[]`, textOf(each)]);
  if (!isObject(value)) return value === undefined ? [] : [[name, textOf(value)]];
  return Object.entries(value).flatMap(([field, each]) => nested(`${name}[${field}]`, each));
}

/** An argument as OpenAPI writes it into a path, encoded. */
function pathText({ style, explode = false }: HttpPlace, value: unknown): string {
  if (style === "json") return encodeURIComponent(JSON.stringify(value));
  return partsOf(value, explode, encodeURIComponent).join(",");
}

/** An argument as OpenAPI writes it into a header. */
function headerText({ style, explode = false }: HttpPlace, value: unknown): string {
  if (style === "json") return JSON.stringify(value);
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

/** A plain value as text, anything else as JSON. */
function textOf(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value);
}
