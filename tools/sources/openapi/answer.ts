import { clipped } from "../../../common/text.js";
import { reasonOf } from "../../../common/connections.js";
import { oneLine } from "../../../common/errors.js";
import { parseExact, withoutNaN } from "../../../common/exactJson.js";
import { sentByNode } from "../credentials/guardedFetch.js";
import type { Keep } from "../../calls/engine/callFiles.js";
import { isJson } from "./mediaTypes.js";
import { plainText } from "./plainSchema.js";

/** Bytes of an answer. */
const LONGEST_ANSWER = 10_000_000;

/** Characters shown of what an API says about a failure. */
const LONGEST_PROBLEM = 300;

/**
 * Reads an answer: the value of JSON, the text of a text, a reference to anything else; undefined for an empty one.
 *
 * @throws Error in one line for too many bytes, and for an answer that breaks off
 */
export async function readAnswer(response: Response, keep: Keep): Promise<unknown> {
  const bytes = await bytesOf(response);
  // Where the new thing is, is all that some APIs say of it.
  const places = ["location", "operation-location", "content-location"];
  const location = places.map((name) => response.headers.get(name)).find((place) => place !== null);
  if (bytes.length === 0) return location === undefined ? undefined : { location };
  return await valueOf(bytes, response.headers.get("content-type") ?? "", keep);
}

async function bytesOf(response: Response): Promise<Buffer> {
  try {
    return await boundedBytes(response, LONGEST_ANSWER);
  } catch (error) {
    const problem =
      error instanceof TooMuch
        ? `it answered with more than ${LONGEST_ANSWER / 1e6} MB; ask for less`
        : `its answer broke off (${reasonOf(error)})`;
    throw new Error(problem, { cause: error });
  }
}

async function valueOf(data: Buffer, type: string, keep: Keep): Promise<unknown> {
  const mediaType = (type.split(";")[0] ?? "").trim().toLowerCase();
  const text = decoded(data, type);
  const value = parsed(text);
  // Many APIs send JSON under another type.
  if (value !== undefined && (isJson(mediaType) || mediaType === "" || /^\s*[[{]/.test(text)))
    return value;
  // A character that no text has, or that is in none of its charsets, is one of data.
  const isText = !/(?![\t\n\r\f])\p{Cc}|\uFFFD/u.test(text);
  if (isTextType(mediaType) || (isText && !isData(mediaType))) return text;
  return await keep({ data, mimeType: mediaType || "application/octet-stream" });
}

/**
 * The text of an answer, without a byte-order mark. UTF-8 first: some APIs declare another charset and send UTF-8 all the
 * same. XML may declare it itself.
 */
function decoded(data: Buffer, type: string): string {
  const said = /(?:charset|encoding)\s*=\s*["']?([\w.:-]+)/i;
  const [, declared = "utf-8"] =
    said.exec(type) ?? said.exec(data.toString("latin1", 0, 200)) ?? [];
  const [first, second] = data;
  const isWide = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  const named = declared.replace(/^cp-?(?=\d{4}$)/i, "windows-").replace(/^latin-/i, "latin");
  const charsets = [isWide ? `utf-16${first === 0xff ? "le" : "be"}` : "utf-8", named];
  for (const charset of charsets) {
    try {
      const decoder = new TextDecoder(charset, { fatal: true });
      const text = decoder.decode(data);
      if (decoder.encoding !== "windows-1252") return text;
      return text.replaceAll(/[\x80-\x9f]/g, (sign) => SIGNS.charAt(sign.charCodeAt(0) - 0x80));
    } catch {
      // Not in this one, or one that Node does not know.
    }
  }
  return new TextDecoder().decode(data);
}

/** What windows-1252 has from 0x80 to 0x9f; Node reads it as if it were Latin-1. */
const SIGNS = "€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ";

function parsed(text: string): unknown {
  try {
    // Google and Gerrit begin with a line that keeps browsers from running it.
    return parseExact(withoutNaN(text.replace(/^\)\]\}',?\s*\n/, "")));
  } catch {
    return undefined;
  }
}

function isTextType(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-ndjson|csv|graphql)$|\bjson\b|diff$|patch$/.test(
    type,
  );
}

/** Types of what is kept as a file even if it could be read. */
function isData(type: string): boolean {
  return /^(?:image|audio|video|font)\/|octet-stream$|pdf$|zip$/.test(type);
}

/** Why a call failed: the status, and in short what the API says. */
export async function failureOf(response: Response): Promise<string> {
  const { status, statusText } = response;
  const bytes = await bytesOf(response).catch(() => Buffer.alloc(0));
  const text = decoded(bytes, response.headers.get("content-type") ?? "");
  const said = oneLine(problemIn(parsed(text)) ?? withoutMarkup(text));
  const after = response.headers.get("retry-after");
  const parts = [
    [status, statusText].filter(Boolean).join(" "),
    clipped(said, LONGEST_PROBLEM),
    (status === 429 || status === 503) && after !== null ? `try again after ${oneLine(after)}` : "",
  ];
  return [...new Set(parts.filter(Boolean))].join(": ");
}

/** Fields in which APIs say what went wrong, the clearest first. */
const PLACES = ["detail", "message", "error_description", "error", "title", "errors"];

function problemIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (typeof value !== "object" || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) return joined(value.map((each) => problemIn(each, depth + 1)));
  const fields = new Map(Object.entries(value));
  const found = joined(PLACES.map((place) => problemIn(fields.get(place), depth + 1)));
  // What is said of each field, or in fields of its own.
  if (found === undefined) return fields.size > 0 ? JSON.stringify(value) : undefined;
  const { param, field = param, source } = value as Record<string, unknown>;
  const about = field ?? (Object(source) as Record<string, unknown>)["pointer"];
  return typeof about === "string" ? `${about}: ${found}` : found;
}

function joined(said: readonly (string | undefined)[]): string | undefined {
  const texts = new Set(said.filter((text) => text !== undefined));
  return texts.size === 0 ? undefined : [...texts].join("; ");
}

/** Of an HTML page the title suffices. */
function withoutMarkup(text: string): string {
  const [, title] = /<title[^>]{0,100}>([^<]{1,300})<\/title>/i.exec(text) ?? [];
  return title ?? plainText(text.slice(0, 5000), LONGEST_PROBLEM);
}

export class TooMuch extends Error {}

/** @throws TooMuch for an answer of more bytes, of which the rest is not read */
export async function boundedBytes(response: Response, most: number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  if (Number(response.headers.get("content-length")) > most) {
    await response.body?.cancel();
    throw new TooMuch();
  }
  // Node's streams are iterable, which the web types lack.
  const body = response.body as unknown as AsyncIterable<Uint8Array> | null;
  if (!body) return Buffer.alloc(0);
  for await (const part of body) {
    parts.push(part);
    length += part.length;
    // Leaving the loop cancels the rest.
    if (length > most) throw new TooMuch();
  }
  return Buffer.concat(parts);
}

/** How many redirects of a request are followed. */
const MOST_REDIRECTS = 5;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** A redirect that is not followed; says so in one line. */
export class NotFollowed extends Error {}

/**
 * Sends a request and follows redirects, only within a host and port, and not from https to http: what is sent to one host
 * is meant neither for another nor for everybody on the way.
 *
 * @throws NotFollowed, or whatever `fetch` throws
 */
export async function followed(
  start: URL,
  { method = "GET", body, ...init }: RequestInit,
): Promise<{ response: Response; url: URL }> {
  const sent = { method, body };
  let url = start;
  for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects += 1) {
    const send = sent.method === "GET" && sent.body ? getWithBody : fetch;
    const response = await send(url, { ...init, ...sent, redirect: "manual" });
    const { status, headers } = response;
    const location = headers.get("location");
    if (!REDIRECTS.has(status) || location === null) return { response, url };
    await response.body?.cancel();
    const next = sameHost(url, location, "it redirects to");
    const repeats = status === 307 || status === 308;
    if (!repeats && sent.method !== "GET" && sent.method !== "HEAD") {
      // 303 says that the request is done, and where to find the result.
      if (status !== 303) throw new NotFollowed(`it answered ${status}: has it moved?`);
      Object.assign(sent, { method: "GET", body: undefined });
    }
    url = next;
  }
  throw new NotFollowed(`it redirects more than ${MOST_REDIRECTS} times`);
}

/** `fetch` refuses to send a body with GET, which some searches want. */
async function getWithBody(url: URL, { body, ...init }: RequestInit): Promise<Response> {
  return await sentByNode(url, { ...init, body: await new Response(body).arrayBuffer() });
}

/**
 * An address that an answer names, if it may be followed.
 *
 * @param how how the answer names it: "it redirects to"
 * @throws NotFollowed for another host or port, and for one from https to http
 */
export function sameHost(from: URL, address: string, how: string): URL {
  if (!URL.canParse(address, from))
    throw new NotFollowed(`${how} an invalid address, which is not followed`);
  const to = new URL(address, from);
  const isSafe = to.protocol === from.protocol || to.protocol === "https:";
  // Other ports of a host may be other people's. The default ports of http and https both read as "".
  if (to.hostname === from.hostname && to.port === from.port && isSafe) return to;
  const refused = to.host === from.host ? to.origin : to.host;
  throw new NotFollowed(`${how} ${refused}, which is not followed`);
}
