import { inspect, stripVTControlCharacters } from "node:util";
import { messageOf, oneLine } from "../../../common/errors.js";
import { withoutSecrets } from "../../../common/secrets.js";
import { clipped } from "../../../common/text.js";

/** Causes shown of an error. */
const MOST_CAUSES = 3;

/** Characters shown of what an error carries beside its message, and of a value that is not an error. */
const LONGEST_BESIDE = 500;

/**
 * A thrown value in one line: name and message of an error, what its library keeps beside them, and what caused it; the
 * text of anything else. Without the stack, because a model reads the line, and without keys and passwords, because it
 * is saved.
 */
export function thrownText(thrown: unknown): string {
  const texts = [ownText(thrown)];
  let cause: unknown = thrown;
  for (let depth = 0; cause !== undefined && depth <= MOST_CAUSES; depth++) {
    const added = [depth > 0 ? ownText(cause) : "", besideText(cause)].filter(Boolean);
    for (const text of added) if (!texts.some((known) => known.includes(text))) texts.push(text);
    cause = causeOf(cause);
  }
  const line = stripVTControlCharacters(texts.filter(Boolean).join(": "));
  return withoutSecrets(oneLine(line)) || "an error without a message";
}

function ownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return plainText(thrown);
  const { code } = thrown as { code?: unknown };
  // Network errors of several addresses have only a code.
  const said = messageOf(thrown) || (typeof code === "string" ? code : "");
  return `${thrown.name}: ${said}`;
}

/** The words of a service (axios, got), of a database (pg) or of a program, which the message does not repeat. */
function besideText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return "";
  const { response, detail, stderr } = thrown as {
    response?: { data?: unknown; body?: unknown };
    detail?: unknown;
    stderr?: unknown;
  };
  const said = response?.data ?? response?.body ?? detail ?? stderr;
  if (said === undefined || said === null || typeof said === "function") return "";
  return clipped(plainText(Buffer.isBuffer(said) ? said.toString() : said).trim(), LONGEST_BESIDE);
}

function causeOf(thrown: unknown): unknown {
  if (thrown instanceof AggregateError) return thrown.errors[0];
  return thrown instanceof Error ? (thrown.cause ?? undefined) : undefined;
}

function plainText(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown)
    return String(thrown.message);
  try {
    // `undefined` has no JSON text.
    return JSON.stringify(thrown) ?? String(thrown);
  } catch {
    return clipped(inspect(thrown, { depth: 2 }), LONGEST_BESIDE);
  }
}
