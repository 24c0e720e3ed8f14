import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { parseExact } from "../../../common/exactJson.js";
import { oneLine } from "../../../common/errors.js";
import type { Keep } from "../../calls/engine/callFiles.js";

/**
 * The result of a call: its structured content, else its content blocks, with JSON texts parsed. One block is the value
 * itself, several are a list. Images, audio and binary resources are kept as files and replaced by references, because
 * their bytes tell a program nothing.
 *
 * @example
 * // { "kind": "image", "mimeType": "image/png", "bytes": 5012, "file": "received/3f….png" }
 */
export async function resultValue(result: CallToolResult, keep: Keep): Promise<unknown> {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) return exactOf(structuredContent, content ?? []);
  const values = await Promise.all((content ?? []).map((block) => blockValue(block, keep)));
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
  const exact = texts.find((text) => JSON.stringify(roundedIfJson(text)) === rounded);
  return exact === undefined ? structured : parsedIfJson(exact);
}

function roundedIfJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Why a call failed, in one line. */
export function failureOf({ content }: CallToolResult): string {
  const texts = (content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : []));
  return oneLine(texts.join(" ")) || "the server reports a failure without a reason";
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

/** Parses only lists and objects: a text of digits may be a name or a postal code. */
function parsedIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseExact(text);
  } catch {
    return text;
  }
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
