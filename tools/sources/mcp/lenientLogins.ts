import type { FetchLike } from "@modelcontextprotocol/client";

type Fields = Record<string, unknown>;

/**
 * A fetch for logins that puts right what real providers write beside the standards: nulls and empty texts, times as
 * texts, tokens as a form or without a type, registrations that do not repeat what was asked for, an issuer that
 * differs by a slash from the one that the server names, and errors in an answer that says that all is well.
 */
export function lenientLogins(send: FetchLike): FetchLike {
  const named: string[] = [];
  return async (url, init) => {
    const response = await send(url, init);
    if (!response.ok) return response;
    const text = await response.text();
    const said = fieldsOf(text);
    const { status, statusText, headers } = response;
    if (!said) return new Response(text, { status, statusText, headers });
    const fields = withoutEmpty(said);
    const isRefused = "error" in fields && !("access_token" in fields);
    if (isRefused) return Response.json(fields, { status: 400 });
    if (Array.isArray(fields["authorization_servers"]))
      named.push(...fields["authorization_servers"].filter((server) => typeof server === "string"));
    return Response.json(completed(fields, { init, named }), { status });
  };
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
  { init, named }: { init: RequestInit | undefined; named: readonly string[] },
): Fields {
  const { issuer } = fields;
  if (typeof issuer === "string") {
    const known = named.find((address) => isSameAddress(address, issuer)) ?? issuer;
    return { ...METADATA, jwks_uri: issuer, ...fields, issuer: known };
  }
  if ("client_id" in fields) return { ...registrationAsked(init), ...withTimes(fields) };
  if ("access_token" in fields) return { token_type: "Bearer", ...withTimes(fields) };
  return fields;
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
      .map(([key, value]) => [
        key,
        Array.isArray(value) ? value.filter((item) => item !== null) : value,
      ]),
  );
}
