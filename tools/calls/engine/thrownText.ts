import { oneLine } from "../../../common/errors.js";
import { withoutSecrets } from "../../../common/secrets.js";

/** Causes shown of an error. */
const MOST_CAUSES = 3;

/**
 * A thrown value in one line: name and message of an error and of what caused it, the text of anything else. Without
 * the stack, because a model reads the line, and without keys and passwords, because it is saved.
 */
export function thrownText(thrown: unknown): string {
  const texts = [ownText(thrown)];
  let cause = causeOf(thrown);
  for (let depth = 0; cause !== undefined && depth < MOST_CAUSES; depth++) {
    const text = ownText(cause);
    if (text && !texts.some((known) => known.includes(text))) texts.push(text);
    cause = causeOf(cause);
  }
  const line = texts.filter(Boolean).join(": ");
  return withoutSecrets(oneLine(line)) || "an error without a message";
}

function ownText(thrown: unknown): string {
  if (!(thrown instanceof Error)) return plainText(thrown);
  const { name, message } = thrown;
  const { code } = thrown as { code?: unknown };
  // Network errors of several addresses have only a code.
  const said = message || (typeof code === "string" ? code : "");
  return `${name}: ${said}`;
}

function causeOf(thrown: unknown): unknown {
  if (thrown instanceof AggregateError && !thrown.message) return thrown.errors[0];
  return thrown instanceof Error ? (thrown.cause ?? undefined) : undefined;
}

function plainText(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
    return String(thrown.message);
  }
  // `undefined` has no JSON text.
  return JSON.stringify(thrown) ?? String(thrown);
}
