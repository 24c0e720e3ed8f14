import { InvalidSetting } from "../../common/errors.js";
import {
  CREDENTIALS,
  type TakenCredentials,
  credentialsOf,
  type ConnectedSource,
} from "../../tools/remote.js";
import { wantedFrom } from "../../tools/sources/kinds.js";

/** Help of the option `--credentials`. */
export const CREDENTIALS_HELP =
  "whose credentials calls use: shared (the default), caller (each owner's own), or passthrough ISSUER AUDIENCE (the caller's token)";

/**
 * Reads `--credentials`: `shared`, `caller`, or `passthrough` with the issuer and the audience of the tokens that are
 * passed on.
 *
 * @returns undefined if it is not given
 */
export function takenFrom(words: readonly string[] | undefined): TakenCredentials | undefined {
  if (words === undefined) return undefined;
  const [first, issuer, audience, ...others] = words;
  const credentials = CREDENTIALS.find((each) => each === first);
  const isPassed = credentials === "passthrough";
  const isWhole = isPassed
    ? audience !== undefined && others.length === 0 && isIssuer(issuer)
    : issuer === undefined;
  if (credentials && isWhole) return { credentials, ...(isPassed ? { issuer, audience } : {}) };
  throw new InvalidSetting({
    setting: "--credentials",
    problem: `"${words.join(" ").slice(0, 200)}" is none of ${CREDENTIALS.join(", ")}`,
    hint: "Write shared, caller, or passthrough with the issuer and the audience of the tokens: passthrough https://id.example.com/ shop",
  });
}

function isIssuer(text = ""): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** @throws InvalidSetting for a source that has no way to take the credentials that it is imported with */
export async function requireWay(source: ConnectedSource): Promise<void> {
  const taken = credentialsOf(source);
  if (taken === "shared") return;
  const { way, fields, places } = await wantedFrom(source);
  const isServer = places.every((place) => place.startsWith("http"));
  const canLogIn = source.kind === "mcp" && isServer;
  if (taken === "passthrough" ? isServer : canLogIn || (way === "key" && fields.length > 0)) return;
  throw new InvalidSetting({
    setting: `--credentials ${taken}`,
    problem:
      taken === "passthrough"
        ? "a program takes no token"
        : "nothing says what each owner has to give",
    hint: "Name variables that each owner gives a value for: --header 'Authorization: Bearer $KEY', --env 'KEY=$KEY', --auth 'SCHEME=$KEY'",
  });
}
