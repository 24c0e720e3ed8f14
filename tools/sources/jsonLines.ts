import { createReadStream } from "node:fs";
import { oneLine, messageOf } from "../../common/errors.js";
import { decoderFor } from "../../common/text.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";

type JsonLine =
  | { line: number; row: Record<string, unknown> }
  /** The line is not one JSON object. */
  | { line: number; problem: string };

/**
 * Reads a JSONL file line by line, without holding it all in memory. Skips empty lines and comments.
 *
 * @param options.keysOnce what people write by hand is refused where a key stands twice, of which JSON takes the last
 */
export async function* readJsonLines(
  file: string,
  options: { keysOnce?: boolean } = {},
): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const text of textLines(file)) {
    line += 1;
    if (!BETWEEN.test(text)) yield { line, ...parsed(text, options) };
  }
}

/** Empty lines, comments and rules. */
const BETWEEN = /^\s*(?:(?:\/\/|#).*|-{3,}\s*)?$/;

/** Splits only at line feeds: `readline` also splits at U+2028, which may occur in JSON strings. */
async function* textLines(file: string): AsyncGenerator<string> {
  let rest = "";
  let decoder: TextDecoder | undefined;
  for await (const chunk of createReadStream(file) as AsyncIterable<Buffer>) {
    decoder ??= decoderFor(chunk);
    const lines = `${rest}${decoder.decode(chunk, { stream: true })}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  yield rest;
}

function parsed(
  text: string,
  { keysOnce }: { keysOnce?: boolean },
): { row: Record<string, unknown> } | { problem: string } {
  try {
    // Lines that were cut out of a list.
    const value: unknown = JSON.parse(text.replace(/,\s*$/, ""));
    const twice = keysOnce ? repeatedKey(text) : undefined;
    if (twice !== undefined)
      return { problem: `has "${oneLine(twice)}" twice; leave one of them out` };
    return isObject(value) ? { row: value } : { problem: "is not a JSON object" };
  } catch (error) {
    if (/^\s*\[/.test(text)) return { problem: "begins a list; a line is one JSON object" };
    const why = messageOf(error);
    return { problem: `is not JSON (${oneLine(why)})` };
  }
}

const KEYS_AND_OBJECTS = /("(?:[^"\\]|\\.)*")(\s*:)?|[{}]/g;

/** A key that an object of this JSON has twice: only the last one would count. */
function repeatedKey(json: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [mark, text = "", colon] of json.matchAll(KEYS_AND_OBJECTS)) {
    if (mark === "{") open.push(new Set());
    if (mark === "}") open.pop();
    if (!colon) continue;
    const key = String(JSON.parse(text));
    if (open.at(-1)?.has(key)) return key;
    open.at(-1)?.add(key);
  }
  return undefined;
}
