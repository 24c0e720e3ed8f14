import { oneLine } from "../../../common/errors.js";
import { withoutSecrets } from "../../../common/secrets.js";

/**
 * A thrown value in one line: name and message of an error, the text of anything else. Without the stack,
 * because a model reads the line, and without keys and passwords, because it is saved.
 */
export function thrownText(thrown: unknown): string {
  const text = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : plainText(thrown);
  return withoutSecrets(oneLine(text)) || "an error without a message";
}

function plainText(thrown: unknown): string {
  if (typeof thrown === "string") return thrown;
  if (typeof thrown === "object" && thrown !== null && "message" in thrown) {
    return String(thrown.message);
  }
  // `undefined` has no JSON text.
  return JSON.stringify(thrown) ?? String(thrown);
}
