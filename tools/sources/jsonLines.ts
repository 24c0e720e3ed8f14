import { createReadStream } from "node:fs";
import { oneLine, messageOf } from "../../common/errors.js";
import { decoderFor } from "../../common/text.js";
import { isSchema as isObject } from "../../common/schemas/referredSchema.js";

type JsonLine =
  | { line: number; row: Record<string, unknown> }
  /** The line is not one JSON object. */
  | { line: number; problem: string };

/** Reads a JSONL file line by line, without holding it all in memory. Skips empty lines. */
export async function* readJsonLines(file: string): AsyncGenerator<JsonLine> {
  let line = 0;
  for await (const text of textLines(file)) {
    line += 1;
    if (text.trim() !== "") yield { line, ...parsed(text) };
  }
}

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

function parsed(text: string): { row: Record<string, unknown> } | { problem: string } {
  try {
    // Lines that were cut out of a list.
    const value: unknown = JSON.parse(text.replace(/,\s*$/, ""));
    return isObject(value) ? { row: value } : { problem: "is not a JSON object" };
  } catch (error) {
    if (/^\s*\[/.test(text)) return { problem: "begins a list; a line is one JSON object" };
    const why = messageOf(error);
    return { problem: `is not JSON (${oneLine(why)})` };
  }
}
