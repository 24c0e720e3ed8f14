import { isSpecType } from "@modelcontextprotocol/client";
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
  const plain = text.replace(/^\uFEFF/, "");
  let parsed: unknown;
  try {
    parsed = JSON.parse(plain);
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
  return { text: before === after ? plain : after, answered };
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
    return { jsonrpc: "2.0", ...(hasId && { id }), method, ...(isFields(params) && { params }) };
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
  return {
    code: isCode ? number : SERVER_ERROR,
    message: `${asText(message ?? data ?? error)}${named}`,
    ...(data !== undefined && data !== null && { data }),
  };
}

function mendedResult(result: unknown): unknown {
  if (result === undefined || result === null) return {};
  if (!isFields(result)) return { content: [{ type: "text", text: asText(result) }] };
  const mendedFields = Object.entries(result).flatMap(([key, value]): [string, unknown][] => {
    if (key === "_meta") return isFields(value) ? [[key, value]] : [];
    if (key === "isError")
      return value === null ? [] : [[key, typeof value === "string" ? value === "true" : value]];
    if (key === "structuredContent") return value === null ? [] : [[key, value]];
    if (key !== "content") return [[key, value]];
    if (value === null) return [];
    const blocks: unknown[] = Array.isArray(value) ? value : [value];
    return [[key, blocks.flatMap(mendedBlock)]];
  });
  return Object.fromEntries(mendedFields);
}

/** A content block that the client library takes; none for an empty one. */
function mendedBlock(block: unknown): unknown[] {
  if (isSpecType.ContentBlock(block)) return [block];
  if (block === null || block === undefined) return [];
  if (!isFields(block)) return [{ type: "text", text: asText(block) }];
  const bare = withoutNulls(block);
  if (bare["type"] === "text" && bare["text"] === undefined) return [];
  const candidate = candidateFor(bare);
  if (isSpecType.ContentBlock(candidate)) return [candidate];
  return [{ type: "text", text: asText(bare["text"] ?? bare["message"] ?? bare) }];
}

function candidateFor(block: Fields): unknown {
  const { type, source, resource } = block;
  if (type === "text") return { ...block, text: asText(block["text"]) };
  if (type === "image" || type === "audio") {
    // As Anthropic's own API has it.
    const { data = block["data"], media_type: mimeType = block["mimeType"] } = isFields(source)
      ? source
      : {};
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
