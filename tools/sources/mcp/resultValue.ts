import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client";
import { oneLine } from "../../../common/errors.js";
import { sha256 } from "../../library/records/hash.js";
import { makeFolder } from "../../../storage/makeFolder.js";

/**
 * The result of a call: its structured content, else its content blocks, with JSON texts parsed. One block is the value
 * itself, several are a list. Images, audio and binary resources are stored as files in the home and replaced by
 * references, because their bytes tell a model nothing.
 *
 * @example
 * // { "kind": "image", "mimeType": "image/png", "bytes": 5012, "file": "/home/me/.tulipgraph/received/3f….png" }
 */
export function resultValue({ result, home }: { result: CallToolResult; home: string }): unknown {
  const { structuredContent, content } = result;
  if (structuredContent !== undefined) return structuredContent;
  const values = (content ?? []).map((block) => blockValue(block, home));
  return values.length > 1 ? values : values[0];
}

/** Why a call failed, in one line. */
export function failureOf({ content }: CallToolResult): string {
  const texts = (content ?? []).flatMap((block) => (block.type === "text" ? [block.text] : []));
  return oneLine(texts.join(" ")) || "the server reports a failure without a reason";
}

function blockValue(block: ContentBlock, home: string): unknown {
  switch (block.type) {
    case "text":
      return parsedIfJson(block.text);
    case "image":
    case "audio":
      return {
        kind: block.type,
        ...stored(home, block.data, block.mimeType),
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
      return { uri, ...stored(home, block.resource.blob, mimeType) };
    }
    default:
      return block;
  }
}

/** Parses only lists and objects: a text of digits may be a name or a postal code. */
function parsedIfJson(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Files are named after their content, so the same picture is stored once. */
function stored(home: string, base64: string, mimeType: string | undefined) {
  const data = Buffer.from(base64, "base64");
  const folder = join(home, "received");
  const ending = /^[\w.+-]+\/([\w-]+)/.exec(mimeType ?? "")?.[1] ?? "bin";
  const file = join(folder, `${sha256(base64).slice(0, 16)}.${ending}`);
  makeFolder(folder);
  writeFileSync(file, data);
  return defined({ mimeType, bytes: data.length, file });
}

function defined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
