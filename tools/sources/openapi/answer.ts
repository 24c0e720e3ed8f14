import { clipped } from "../../../common/bounds.js";
import { oneLine } from "../../../common/errors.js";
import { isJson } from "./arguments.js";
import { boundedBytes, TooMuch } from "./response.js";
import { plainText } from "./plainText.js";

/** Bytes of an answer, all pages together. */
export const LONGEST_ANSWER = 10_000_000;

/** Characters shown of what an API says about a failure. */
const LONGEST_PROBLEM = 300;

/** The answer of an API. */
export interface Answer {
  /** The value of JSON, the text of a text, the type and size of anything else; undefined for an empty answer. */
  value: unknown;
  bytes: number;
}

/**
 * Reads an answer.
 *
 * @param most the maximum of bytes
 * @throws Error in one line for more bytes, and for an answer that breaks off
 */
export async function readAnswer(response: Response, most: number): Promise<Answer> {
  const bytes = await bytesOf(response, most);
  if (bytes.length === 0) return { value: undefined, bytes: 0 };
  const type = response.headers.get("content-type") ?? "";
  return { value: valueOf(bytes, type), bytes: bytes.length };
}

async function bytesOf(response: Response, most: number): Promise<Buffer> {
  try {
    return await boundedBytes(response, most);
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    throw new Error(`it answered with more than ${LONGEST_ANSWER / 1e6} MB; ask for less`, {
      cause: error,
    });
  }
}

function valueOf(bytes: Buffer, type: string): unknown {
  const mediaType = (type.split(";")[0] ?? "").trim().toLowerCase();
  const text = bytes.toString("utf8");
  if (isJson(mediaType) || mediaType === "") {
    const value = parsed(text);
    if (value !== undefined) return value;
  }
  if (isText(mediaType) || (mediaType === "" && !text.includes("\uFFFD"))) return text;
  return { binary: mediaType || "application/octet-stream", bytes: bytes.length };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isText(type: string): boolean {
  return /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|x-ndjson|csv|graphql)$|\bjson\b|diff$|patch$/.test(
    type,
  );
}

/** Why a call failed: the status, and in short what the API says. */
export async function failureOf(response: Response): Promise<string> {
  const { status, statusText } = response;
  const bytes = await bytesOf(response, LONGEST_ANSWER).catch(() => Buffer.alloc(0));
  const text = bytes.toString("utf8");
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
const PLACES = [
  "detail",
  "message",
  "error_description",
  "error",
  "title",
  "errors",
  "fault",
  "reason",
];

function problemIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === "string" && value.trim() !== "") return value;
  if (typeof value !== "object" || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) return problemIn(value[0], depth + 1);
  const fields = new Map(Object.entries(value));
  const found = PLACES.flatMap((place) => problemIn(fields.get(place), depth + 1) ?? []);
  if (found.length > 0) return [...new Set(found)].slice(0, 2).join("; ");
  return depth === 0 ? JSON.stringify(value) : undefined;
}

/** Of an HTML page the title suffices. */
function withoutMarkup(text: string): string {
  const [, title] = /<title[^>]{0,100}>([^<]{1,300})<\/title>/i.exec(text) ?? [];
  return title ?? plainText(text.slice(0, 5000), LONGEST_PROBLEM);
}
