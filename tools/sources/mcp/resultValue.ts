import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { parseExact } from "../../../common/exactJson.js";
import { jsonOrNothing } from "../../../common/jsonInText.js";
import { oneLine } from "../../../common/errors.js";
import { clipped } from "../../../common/text.js";
import { canonicalJson } from "../../library/records/hash.js";
import type { Keep } from "../../calls/engine/callFiles.js";

/**
 * The result of a call: its structured content with the blocks that say more under `content`, else its content blocks,
 * with JSON texts parsed. One block is the value itself, several are a list. Images, audio and binary resources are kept as files and replaced by references, because
 * their bytes tell a program nothing.
 *
 * @example
 * // { "kind": "image", "mimeType": "image/png", "bytes": 5012, "file": "received/3f….png" }
 */
export async function resultValue(result: CallToolResult, keep: Keep): Promise<unknown> {
  const { structuredContent, content, ...others } = result;
  const blocks = content ?? [];
  const structured = structuredContent && exactOf(structuredContent, blocks);
  const values = await Promise.all(
    blocks
      .filter((block) => !isRepeated(block, structured))
      .map((block) => blockValue(block, keep)),
  );
  if (structured !== undefined) return withValues(structured, values);
  if (blocks.length === 0) return ownResult(others);
  return values.length > 1 ? values : values[0];
}

/**
 * Structured content with its long whole numbers exact. The client library has rounded them; the text that servers send
 * along has their digits.
 */
function exactOf(structured: unknown, content: readonly ContentBlock[]): unknown {
  const rounded = JSON.stringify(structured);
  if (!/\d{16,}/.test(rounded)) return structured;
  const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  const exact = texts.find((text) => JSON.stringify(jsonOrNothing(text)) === rounded);
  return exact === undefined ? structured : parsedAs(exact);
}

/** Structured content with the blocks beside it, where a declared result has no field of that name. */
function withValues(structured: unknown, values: readonly unknown[]): unknown {
  if (values.length === 0) return structured;
  const isObject = typeof structured === "object" && structured !== null;
  if (!isObject || Array.isArray(structured)) return { result: structured, content: values };
  return { ...structured, ["content" in structured ? "contentBlocks" : "content"]: values };
}

/** Servers repeat structured content, or a value in it, as a text for older clients. */
function isRepeated(block: ContentBlock, structured: unknown): boolean {
  if (block.type !== "text" || structured === undefined) return false;
  const said = canonicalJson(parsedAs(block.text));
  const inside =
    typeof structured === "object" && structured !== null ? Object.values(structured) : [];
  const known = [structured, ...inside, ...inside.filter(Array.isArray).flat()];
  return known.some((value) => value === block.text || canonicalJson(value) === said);
}

/** What a server answers in a form of its own: revisions before 2024-11-05 had `toolResult`. */
function ownResult(result: Record<string, unknown>): unknown {
  const { toolResult } = result;
  if (toolResult !== undefined) return toolResult;
  const others = Object.entries(result).filter(([key]) => !OF_PROTOCOL.has(key));
  return others.length > 0 ? Object.fromEntries(others) : undefined;
}

/** Keys of a result that are not part of what a tool returned. */
const OF_PROTOCOL = new Set(["_meta", "isError", "resultType", "content", "structuredContent"]);

/** Why a call failed, in one line: its texts, and what stands elsewhere if they do not say it. */
export function failureOf({ content, structuredContent, ...others }: CallToolResult): string {
  const texts = (content ?? []).flatMap((block) => {
    if (block.type === "text") return [block.text];
    return block.type === "resource" && "text" in block.resource ? [block.resource.text] : [];
  });
  const own = ownResult(others);
  const elsewhere = [structuredContent, own, metaOf(others)].map(reasonIn).find((text) => text);
  const said = oneLine(texts.join(" "));
  const isSaid = elsewhere === undefined || said.includes(elsewhere);
  if (said && (isSaid || said.length > SAYS_LITTLE)) return said;
  return (
    oneLine([said, elsewhere ?? ""].join(" ").trim()) ||
    "the server reports a failure without a reason"
  );
}

/** What a server itself adds to a result, without what the protocol keeps there: a server's name, tokens, traces. */
function metaOf({ _meta }: Pick<CallToolResult, "_meta">): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(_meta ?? {}).filter(([key]) => !PROTOCOL_META.test(key)),
  );
}

const PROTOCOL_META =
  /^(?:[\w.-]+\.)?(?:modelcontextprotocol|mcp)(?:\.[\w.-]+)?\/|^(?:progressToken|traceparent|tracestate|baggage)$/;

/** Characters of a text that may be a heading alone, such as "Error" or "The tool failed". */
const SAYS_LITTLE = 40;

/** Characters shown of a reason that is data. */
const LONGEST_REASON = 500;

/** The reason in data about a failure: its usual fields, else the data itself. */
function reasonIn(data: unknown): string | undefined {
  if (data === undefined || data === null || data === "") return undefined;
  if (typeof data === "string") return data;
  if (typeof data !== "object") return JSON.stringify(data);
  const { message, error, reason, detail, details, description } = data as Record<string, unknown>;
  const usual = [message, error, reason, detail, details, description];
  const said = usual.map(reasonIn).find((text) => text);
  const isEmpty = Object.keys(data).length === 0;
  return said ?? (isEmpty ? undefined : clipped(JSON.stringify(data), LONGEST_REASON));
}

async function blockValue(block: ContentBlock, keep: Keep): Promise<unknown> {
  switch (block.type) {
    case "text":
      return parsedIfJson(block.text);
    case "image":
    case "audio":
      return {
        kind: block.type,
        ...(await keep({ data: Buffer.from(block.data, "base64"), mimeType: block.mimeType })),
      };
    case "resource_link": {
      const { uri, name, title, description, mimeType, size } = block;
      return defined({
        kind: "link",
        uri,
        name: title ?? name,
        description,
        mimeType,
        bytes: size,
      });
    }
    case "resource": {
      const { uri, mimeType } = block.resource;
      if ("text" in block.resource) return defined({ uri, mimeType, text: block.resource.text });
      const data = Buffer.from(block.resource.blob, "base64");
      return { uri, ...(await keep({ data, mimeType })) };
    }
    default:
      return block;
  }
}

function parsedAs(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

/** Parses only lists and objects: a text of digits may be a name or a postal code. */
function parsedIfJson(text: string): unknown {
  const bare = text.replace(/^\uFEFF/, "");
  return /^\s*[[{]/.test(bare) ? parsedAs(bare) : text;
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
