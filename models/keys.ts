import { ModelFailed } from "../common/errors.js";

/** A stand-in for the key where an endpoint of the user's own may need none. */
const NO_KEY = "none";

/**
 * The key to give to a client, or undefined where the client finds it, or needs none, by itself.
 *
 * @param options.key environment variable of the key
 * @param options.baseUrl environment variable of an endpoint of the user's own, which may need none
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
