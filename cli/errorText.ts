import { inspect } from "node:util";
import { TulipgraphError, oneLine } from "../common/errors.js";
import { withoutSecrets } from "../common/secrets.js";

/**
 * What a person is told of an error: one line, or with `debug` all that is known. Keys and passwords
 * are left out.
 */
export function errorText({ error, debug }: { error: unknown; debug: boolean }): string {
  return withoutSecrets(debug ? inspect(error) : `error: ${describeError(error)}`);
}

/** The message on one line; an error that is not meant for people has more to say. */
export function describeError(error: unknown): string {
  const message = oneLine(error instanceof Error ? error.message : String(error));
  return error instanceof TulipgraphError ? message : `${message} (--debug shows more)`;
}
