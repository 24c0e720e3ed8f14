import type { FetchLike } from "@modelcontextprotocol/client";
import { oneLine } from "../../../common/errors.js";
import { beginning } from "../../../common/text.js";

type Fields = Record<string, unknown>;

/**
 * A fetch for logins that puts right what real providers write beside the standards: nulls and empty texts, times and
 * lists as texts, tokens as a form, without a type or further inside, registrations that do not repeat what was asked
 * for, an issuer that differs by a slash from the one that the server names or is missing, pages in place of metadata,
 * and errors in forms of their own or in an answer that says that all is well.
 */
export function lenientLogins(send: FetchLike): FetchLike {
  const named: string[] = [];
  return async (url, init) => {
    const response = await send(url, init);
    const { ok, status, statusText, headers } = response;
    const isLookUp = (init?.method ?? "GET") === "GET";
    if (!ok && isLookUp) return response;
    const text = await response.text();
    const said = fieldsOf(text);
    if (!ok) return refused(said ?? { error_description: titleOf(text) }, status);
    // Where a site answers each address with a page, the metadata are at another one.
    if (!said && isLookUp) return new Response(null, { status: 404 });
    if (!said) return new Response(text, { status, statusText, headers });
    const given = withoutEmpty(said);
    const held = [given, ...ENVELOPES.map((key) => given[key])];
    const fields = held.find(hasTokens) ?? held.find(isClient) ?? given;
    if ("error" in fields && !hasTokens(fields)) return refused(fields, 400);
    const { authorization_servers: servers } = fields;
    if (Array.isArray(servers)) named.push(...servers.filter((one) => typeof one === "string"));
    return Response.json(completed(fields, { asked: String(url), init, named }), { status });
  };
}

/** Where Slack and others have what the standards have at the top. */
const ENVELOPES = ["authed_user", "data", "result", "client"];

function isClient(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && "client_id" in value;
}

function hasTokens(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && "access_token" in value;
}

/** A refusal in the standard's form; the client library reads no other. */
function refused(fields: Fields, status: number): Response {
  const {
    error,
    errors,
    error_description: described,
    errorSummary,
    message,
    detail,
    title,
  } = fields;
  const [first] = [errors ?? error].flat();
  const inner = typeof first === "object" && first !== null ? (first as Fields)["message"] : first;
  const why = [described, errorSummary, message, detail, title, inner].find(
    (text) => typeof text === "string",
  );
  const code = typeof error === "string" ? error : "server_error";
  const words = why ?? `HTTP ${status} without a reason`;
  return Response.json({ error: code, error_description: words }, { status });
}

/** What a page is called, or the beginning of a plain text. */
function titleOf(text: string): string | undefined {
  const [, title = text] = /<title>([^<]*)<\/title>/i.exec(text) ?? [];
  return beginning(oneLine(title), 200) || undefined;
}

/** Whether two addresses differ at most by a slash at the end, or by what the standard of addresses calls the same. */
export function isSameAddress(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(address: string): string {
  return new URL(address).href.replace(/\/+$/, "");
}

function completed(
  fields: Fields,
  {
    asked,
    init,
    named,
  }: { asked: string; init: RequestInit | undefined; named: readonly string[] },
): Fields {
  const { origin } = new URL(asked);
  const { issuer = "authorization_endpoint" in fields ? origin : undefined } = fields;
  if (typeof issuer === "string") {
    const isIssuer = (address: string) =>
      isSameAddress(address, issuer.replace("{tenantid}", tenantOf(address))) ||
      (fields["issuer"] === undefined && address.startsWith(origin));
    const known = named.find(isIssuer) ?? issuer;
    const places = Object.entries(fields).filter(
      ([key, value]) => key.endsWith("_endpoint") && String(value).startsWith("/"),
    );
    const whole = places.map(([key, path]) => [key, origin + String(path)]);
    const own = { ...withoutBadLinks(fields), ...Object.fromEntries(whole) };
    return { ...METADATA, jwks_uri: issuer, ...own, issuer: known };
  }
  if ("client_id" in fields) return { ...registrationAsked(init), ...withTimes(fields) };
  if ("access_token" in fields) return { token_type: "Bearer", ...withTimes(fields) };
  return fields;
}

/** Without what should be an address and is none; only the endpoints are needed. */
function withoutBadLinks(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([key, value]) => !/_(?:uri|documentation)$/.test(key) || URL.canParse(String(value)),
    ),
  );
}

/** Microsoft's metadata for all tenants leave the tenant out. */
function tenantOf(address: string): string {
  return new URL(address).pathname.split("/")[1] ?? "";
}

/** What the client library requires of metadata, and a login does not need. */
const METADATA = {
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
};

/** The places to return to of a registration that was sent. */
function registrationAsked(init: RequestInit | undefined): Fields {
  const asked = typeof init?.body === "string" ? fieldsOf(init.body) : undefined;
  return { redirect_uris: asked?.["redirect_uris"] ?? [] };
}

const TIMES: readonly string[] = ["expires_in", "client_id_issued_at", "client_secret_expires_at"];

/** Times as numbers of seconds, identifiers as texts, and rights as one text. */
function withTimes(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      if (TIMES.includes(key)) {
        const seconds = secondsOf(value);
        return seconds === undefined ? [] : [[key, seconds]];
      }
      if (key === "scope" && Array.isArray(value)) return [[key, value.join(" ")]];
      return [[key, typeof value === "number" ? String(value) : value]];
    }),
  );
}

function secondsOf(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds;
  const date = Date.parse(String(value));
  return Number.isNaN(date) ? undefined : Math.floor(date / 1_000);
}

/** The fields of a JSON object or a form; undefined for any other text. */
function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as Fields) : undefined;
  } catch {
    const isForm = /^\w+=[^\s<>]*$/.test(text.trim());
    return isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined;
  }
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== "")
      .map(([key, value]) => {
        const all = typeof value === "string" && LISTS.test(key) ? value.split(/[\s,]+/) : value;
        const plain = Array.isArray(all) ? all.filter((item) => typeof item === "string") : all;
        return [snakeCase(key), LISTS.test(key) ? plain : all];
      }),
  );
}

function snakeCase(key: string): string {
  return /^(?:access|refresh|token|client|expires)[A-Z]/.test(key)
    ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : key;
}

/** Keys with a list. */
const LISTS =
  /_supported$|^(?:authorization_servers|redirect_uris|grant_types|response_types|contacts)$/;
