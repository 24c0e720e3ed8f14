import { ModelFailed } from "../common/errors.js";

/** A placeholder for clients that insist on a key, though a user's own endpoint may need none. */
export const NO_KEY = "none";

/**
 * The key for a client; undefined if the client finds it itself or needs none.
 *
 * @param options.key environment variable of the key
 * @param options.keyless what the error suggests instead
 * @param options.baseUrl environment variable of a user's own endpoint, which may need no key
 * @throws ModelFailed when the key is needed and missing
 */
export function requireKey(options: {
  spec: string;
  key?: string;
  baseUrl?: string;
  keyless: string;
}): string | undefined {
  const { spec, key, baseUrl, keyless } = options;
  if (!key || process.env[key]) return undefined;
  if (baseUrl && process.env[baseUrl]) return NO_KEY;
  throw new ModelFailed({
    model: spec,
    problem: "no key is set",
    hint: `set ${key} in the environment or in .env, or use ${keyless}, which needs none`,
  });
}
