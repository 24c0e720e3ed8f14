import { isSpecType, SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/client";
import { parseExact, withoutNaN } from "../../../common/exactJson.js";
import { jsonOrNothing } from "../../../common/jsonInText.js";
import { isSchema as isFields } from "../../../common/schemas/referredSchema.js";

/** The id of a request. */
export type RequestId = string | number;

/**
 * The code of the error that stands for an answer which never came. Its outcome is as open as that of a connection that
 * broke.
 */
export const NO_ANSWER = -32_799;

type Fields = Record<string, unknown>;

/** A message that the client library reads. */
interface Mended {
  text: string;
  /** The ids of the requests that it answers, as texts: some servers send numbers back so. */
  answered: readonly string[];
}

/**
 * A server's message as the client library reads it. The library drops what departs from the schema in any detail, and
 * the call would wait for its time limit; so nulls, keys of one's own and errors in other forms are put right here. One
 * odd block of a result costs no other block. What is right already stays as it is, letter for letter.
 *
 * @param waiting the requests that have no answer yet: an answer without an id belongs to the only one
 */
export function mended(text: string, waiting: readonly RequestId[]): Mended {
  const plain = withoutNaN(text.replace(/^\uFEFF/, ""));
  // The client library would round what is beyond 2⁵³.
  const isExact = /"structuredContent"[^]*\d{16}/.test(plain);
  let parsed: unknown;
  try {
    parsed = isExact ? parseExact(plain) : JSON.parse(plain);
  } catch {
    return { text, answered: [] };
  }
  const messages = [parsed].flat().map((part) => mendedMessage(part, waiting));
  const before = JSON.stringify(parsed);
  const after = JSON.stringify(Array.isArray(parsed) ? messages : messages[0]);
  const answered = messages
    .filter(isFields)
    .filter((part) => !("method" in part))
    .map(({ id }) => String(id));
  return { text: before === after && !isExact ? plain : after, answered };
}

/** What a text says as an error of the protocol, if it is one. */
export function errorIn(text: string): string | undefined {
  const { error } = Object(jsonOrNothing(mended(text, [""]).text)) as { error?: Fields };
  return typeof error?.["message"] === "string" ? error["message"] : undefined;
}

/** The message that stands for an answer which never came. */
export function noAnswer(id: RequestId, why: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code: NO_ANSWER, message: why } });
}

function mendedMessage(message: unknown, waiting: readonly RequestId[]): unknown {
  if (!isFields(message)) return message;
  const { id, method, params, result, error } = message;
  if (typeof method === "string") {
    const hasId = id !== undefined && id !== null;
    // What is asked of a person must not fail at a default of null.
    const isQuestion = method === "elicitation/create";
    const given = isFields(params) && { params: isQuestion ? withoutNulls(params) : params };
    return { jsonrpc: "2.0", ...(hasId && { id }), method, ...given };
  }
  if (!("result" in message) && !("error" in message)) return message;
  const known = id ?? (waiting.length === 1 ? waiting[0] : id);
  if (error !== undefined && error !== null)
    return { jsonrpc: "2.0", id: known, error: mendedError(error) };
  return { jsonrpc: "2.0", id: known, result: mendedResult(result) };
}

/** The code of a server's error that has none of its own. */
const SERVER_ERROR = -32_000;

function mendedError(error: unknown): unknown {
  if (!isFields(error)) return { code: SERVER_ERROR, message: asText(error) };
  const { code, data } = error;
  const number = typeof code === "string" && code.trim() ? Number(code) : code;
  const isCode = typeof number === "number" && Number.isInteger(number);
  const { message = error["error"] ?? error["detail"] ?? error["reason"] ?? error } = error;
  const named = isCode || code === undefined || code === null ? "" : ` (${asText(code)})`;
  const said = asText(message ?? data ?? error);
  // Beside a message such as "Internal error".
  const { message: inner, reason = inner, detail = reason } = isFields(data) ? data : {};
  const why = Array.isArray(data) ? JSON.stringify(data) : typeof data === "string" ? data : detail;
  const more = typeof why === "string" && !said.includes(why) ? `: ${why}` : "";
  return {
    code: isCode ? number : SERVER_ERROR,
    message: `${said}${more}${named}`,
    ...(data !== undefined && data !== null && { data }),
  };
}

function mendedResult(result: unknown): unknown {
  if (result === undefined || result === null) return {};
  if (!isFields(result)) {
    // PHP writes an empty object as a list.
    if (!Array.isArray(result)) return { content: [{ type: "text", text: asText(result) }] };
    return result.length === 0 ? {} : { content: result.flatMap(mendedBlock) };
  }
  const { result: inner, ...others } = result;
  if (isFields(inner) && "content" in inner && Object.keys(others).length === 0)
    return mendedResult(inner);
  if ("protocolVersion" in result || "serverInfo" in result) return mendedHandshake(result);
  const { structuredContent: given } = result;
  const structured = typeof given === "string" ? jsonOrNothing(given, given) : given;
  const made = Object.entries(result).flatMap(([key, value]): [string, unknown][] => {
    if (key === "_meta") return isFields(value) ? [[key, withoutNulls(value)]] : [];
    if (value === null && OPTIONAL.has(key)) return [];
    if (key === "isError") return [[key, /^(?:true|1)$/i.test(String(value))]];
    if (key === "structuredContent") return isFields(structured) ? [[key, structured]] : [];
    if (key !== "content") return [[key, value]];
    const blocks: unknown[] = Array.isArray(value) ? value : [value];
    return [[key, blocks.flatMap(mendedBlock)]];
  });
  const read = Object.fromEntries(made);
  // Other data than an object are read from a text, which most servers send along.
  const isLost = !isFields(structured) && structured !== undefined && structured !== null;
  const hasText = read["content"] !== undefined && !isEmptyList(read["content"]);
  return isLost && !hasText ? { ...read, content: mendedBlock(structured) } : read;
}

const OPTIONAL = new Set(["content", "isError"]);

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** The answer to `initialize`: what a server can do as objects, and what it says of itself as texts. */
function mendedHandshake(result: Fields): Fields {
  const { protocolVersion, capabilities, serverInfo, instructions, ...others } = result;
  const able = Object.entries(isFields(capabilities) ? capabilities : {}).flatMap(
    ([name, value]): [string, unknown][] => {
      if (!isFields(value)) return value === true || isEmptyList(value) ? [[name, {}]] : [];
      const flags = Object.entries(value).map(([key, flag]) => [key, flagOf(flag)]);
      return [[name, Object.fromEntries(flags)]];
    },
  );
  const written = withoutNulls(isFields(serverInfo) ? serverInfo : {});
  const named = { name: asText(written["name"] ?? ""), version: asText(written["version"] ?? "") };
  const about = { ...written, ...named };
  const said = [instructions].flat().filter((text) => typeof text === "string");
  return {
    ...others,
    protocolVersion: knownVersion(protocolVersion),
    capabilities: Object.fromEntries(able),
    serverInfo: isSpecType.Implementation(about) ? about : named,
    ...(said.length > 0 && { instructions: said.join("\n") }),
  };
}

/** The revision that a server speaks, or the one before it that the client library knows. */
function knownVersion(given: unknown): string {
  const known = SUPPORTED_PROTOCOL_VERSIONS.toSorted().toReversed();
  const version = String(given);
  return known.find((one) => one <= version) ?? known.at(-1) ?? version;
}

function flagOf(value: unknown): unknown {
  return value === "true" || value === "false" ? value === "true" : value;
}

/** A content block that the client library takes; none for an empty one. */
function mendedBlock(block: unknown): unknown[] {
  if (isSpecType.ContentBlock(block)) return [block];
  if (block === null || block === undefined) return [];
  if (!isFields(block)) return [{ type: "text", text: asText(block) }];
  const bare = withoutNulls(block);
  const { type, text = bare["content"] ?? bare["value"] } = bare;
  if (type === "text" && text === undefined) return [];
  if (type === "text") bare["text"] = text;
  const candidate = candidateFor(bare);
  if (isSpecType.ContentBlock(candidate)) return [candidate];
  return [{ type: "text", text: asText(bare["text"] ?? bare["message"] ?? bare) }];
}

function candidateFor(block: Fields): unknown {
  const { source, resource, image_url: address } = block;
  const type = address === undefined ? String(block["type"]).toLowerCase() : "image";
  if (type === "text") return { ...block, type, text: asText(block["text"]) };
  if (type === "json")
    return { type: "text", text: asText(block["json"] ?? block["data"] ?? block) };
  if (type === "image" || type === "audio") {
    // As the APIs of Anthropic and OpenAI have it.
    const given = { ...block, ...[source, address].find(isFields) };
    const { url, data = url, mime_type: named, media_type: kind = named, mimeType = kind } = given;
    return { type, ...mendedBytes(data, mimeType) };
  }
  if (type === "resource_link") return { name: block["uri"], ...block };
  if (type === "resource" && isFields(resource)) {
    if (resource["blob"] === undefined) return block;
    const { data: blob, mimeType } = mendedBytes(resource["blob"], resource["mimeType"]);
    return { ...block, resource: { ...resource, blob, mimeType } };
  }
  return block;
}

/** Bytes in base64, also from a data: address or from base64 in another alphabet or on several lines. */
function mendedBytes(data: unknown, mimeType: unknown): { data?: string; mimeType: string } {
  const text = typeof data === "string" ? data : "";
  const [, declared, encoded = text] = /^data:([^;,]*)[^,]*,(.*)$/s.exec(text) ?? [];
  const type = typeof mimeType === "string" ? mimeType : declared;
  const kind = type || "application/octet-stream";
  // Anything but base64 is shown as the text that it is.
  if (!/^[\w+/=\s-]+$/.test(encoded)) return { mimeType: kind };
  return { data: Buffer.from(encoded, "base64").toString("base64"), mimeType: kind };
}

function withoutNulls(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]): [string, unknown][] => {
      if (value === null) return [];
      return [[key, isFields(value) ? withoutNulls(value) : value]];
    }),
  );
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
