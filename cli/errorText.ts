import { inspect } from "node:util";
import { TulipgraphError, oneLine, messageOf } from "../common/errors.js";
import { withoutSecrets } from "../common/secrets.js";

/** An error in one line, or with `debug` in full. Keys and passwords are left out. */
export function errorText({ error, debug }: { error: unknown; debug: boolean }): string {
  return withoutSecrets(debug ? inspect(error) : `error: ${describeError(error)}`);
}

/** The message on one line; for an error that we did not write, it points to `--debug`. */
export function describeError(error: unknown): string {
  const message = oneLine(messageOf(error));
  return error instanceof TulipgraphError ? message : `${message} (--debug shows more)`;
}
