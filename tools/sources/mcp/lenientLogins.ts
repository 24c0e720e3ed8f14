import type { FetchLike, StoredOAuthClientInformation } from "@modelcontextprotocol/client";
import { oneLine } from "../../../common/errors.js";
import { isSchema as isObject } from "../../../common/schemas/referredSchema.js";
import { beginning } from "../../../common/text.js";

/** The fields of a provider's answer. */
export type Fields = Record<string, unknown>;

/** What a provider made of a request: fields that are in use, or why it refused. */
export type Answer = { fields: Fields } | { status: number; error: string; why: string };

/**
 * Reads an answer in the forms that real providers give beside the standards: nulls and empty texts, a form in place of
 * JSON, names as JavaScript has them, an envelope, and errors in forms of their own or in an answer that says that all is
 * well.
 *
 * @param key what the answer is read for
 */
export async function answerOf(response: Response, key: string): Promise<Answer> {
  const { ok, status } = response;
  const text = await response.text();
  const said = fieldsOf(text) ?? {};
  const parts = [said, ...Object.values(said).map((each) => plain(Object(each) as Fields))];
  const fields = parts.find((each) => each[key] !== undefined);
  return ok && fields ? { fields } : refusal({ said, text, status });
}

/** A refusal, whatever a provider calls its parts. */
function refusal(answer: { said: Fields; text: string; status: number }) {
  const { said, text, status } = answer;
  const { error } = said;
  const page = Object.keys(said).length === 0 ? titleOf(text) : undefined;
  const words = [...REASONS.map((key) => said[key]), page].flatMap(wordsOf);
  const [why = `HTTP ${status} without a reason`] = words;
  return { status, error: typeof error === "string" ? error : "server_error", why };
}

/** Where providers say why they refuse, the clearest first. */
const REASONS = "error_description errorSummary message detail title errors error".split(" ");

/** What a part of a refusal says: a text, or the first of some, or of an object with one. */
function wordsOf(part: unknown): string[] {
  const [first] = [part].flat();
  const { message, msg = message, description = msg } = Object(first) as Fields;
  return textsIn(description ?? first);
}

/** What a page is called, or the beginning of a plain text. */
function titleOf(text: string): string | undefined {
  const [, title = text] = /<title>([^<]*)<\/title>/i.exec(text) ?? [];
  return beginning(oneLine(title), 200) || undefined;
}

/**
 * A fetch for tokens. A client with a secret names itself in each way in turn in which providers take it, for as long as
 * it is not known: many do not say which they take, and not all decode what they are sent in a header.
 *
 * @param options.methods the ways that the provider names
 */
export function tokenFetch(
  send: FetchLike,
  options: { client: StoredOAuthClientInformation; methods?: readonly string[] },
): FetchLike {
  return async (url, init = {}) => {
    let answer: Answer | undefined;
    for (const { form, ...own } of waysOf(options)) {
      const headers = { ...Object.fromEntries(new Headers(init.headers)), ...own };
      const body = new URLSearchParams(init.body as URLSearchParams);
      for (const [name, value] of Object.entries(form)) body.set(name, value);
      answer = await answerOf(await send(url, { ...init, headers, body }), "access_token");
      if ("fields" in answer || !isUnknownClient(answer)) break;
    }
    return standard(answer);
  };
}

/** The ways in which a client may name itself, the likeliest first. */
function waysOf(options: Parameters<typeof tokenFetch>[1]) {
  const { client, methods = [] } = options;
  const { client_id, client_secret } = client;
  if (client_secret === undefined) return [{ form: { client_id } }];
  const inBody = { form: { client_id, client_secret } };
  const names = [formEncoded, String].map((written) => {
    const name = `${written(client_id)}:${written(client_secret)}`;
    return `Basic ${Buffer.from(name).toString("base64")}`;
  });
  const inHeader = [...new Set(names)].map((authorization) => ({ form: {}, authorization }));
  const agreed = "token_endpoint_auth_method" in client ? client.token_endpoint_auth_method : "";
  const isOnly = methods.includes("client_secret_post") && !methods.includes("client_secret_basic");
  return agreed === "client_secret_post" || isOnly ? [inBody, ...inHeader] : [...inHeader, inBody];
}

/** As RFC 6749 wants it in a header. */
function formEncoded(text: string): string {
  return new URLSearchParams({ _: text }).toString().slice(2);
}

function isUnknownClient({ status, error, why }: Exclude<Answer, { fields: Fields }>): boolean {
  if (status === 401 || error === "invalid_client") return true;
  return error === "invalid_request" && /client/i.test(why);
}

/** The code of a refusal that says nothing of the tokens. */
export const PUT_OFF = "temporarily_unavailable";

/** Tokens or a refusal as the client library reads them. */
function standard(answer: Answer | undefined): Response {
  if (answer && "fields" in answer) {
    const { access_token, refresh_token, id_token, scope, expires_in } = answer.fields;
    const seconds = secondsOf(expires_in);
    const tokens = { access_token, refresh_token, id_token, scope: wordsIn(scope).join(" ") };
    return Response.json({ ...plain(tokens), token_type: "Bearer", expires_in: seconds });
  }
  const { status = 500, error, why } = answer ?? {};
  const code = status === 429 || status >= 500 ? PUT_OFF : error;
  const body = { error: code, error_description: why };
  return Response.json(body, { status: Math.max(status, 400) });
}

function secondsOf(value: unknown): number | undefined {
  const seconds = typeof value === "string" ? Number(value) : value;
  // Some give none for a token that lasts.
  return typeof seconds === "number" && seconds > 0 ? seconds : undefined;
}

/** The fields of a JSON object or a form without empty ones; undefined for any other text. */
export function fieldsOf(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isObject(value) ? plain(value) : undefined;
  } catch {
    const isForm = /^\w+=[^\s<>]*$/.test(text.trim());
    return isForm ? Object.fromEntries(new URLSearchParams(text.trim())) : undefined;
  }
}

/** Fields by the standards' names, without empty ones, and identifiers as texts. */
function plain(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== null && value !== undefined && value !== "")
      .map(([key, value]) => [snakeCase(key), typeof value === "number" ? String(value) : value]),
  );
}

function snakeCase(key: string): string {
  return /^(?:access|refresh|id|token|client|expires)[A-Z]/.test(key)
    ? key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    : key;
}

/** The texts of a value that should be one, or a list of some. */
export function textsIn(value: unknown): string[] {
  return [value]
    .flat()
    .flatMap((each) => (typeof each === "string" && each.trim() ? [each.trim()] : []));
}

/** Those of a list that may be written as one text. */
export function wordsIn(value: unknown): string[] {
  return textsIn(value).flatMap((text) => text.split(/[\s,]+/));
}

/** Whether two addresses differ at most by a slash at the end, or by what the standard of addresses calls the same. */
export function isSameAddress(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  return withoutSlash(one) === withoutSlash(other);
}

function withoutSlash(address: string): string {
  return new URL(address).href.replace(/\/+$/, "");
}
