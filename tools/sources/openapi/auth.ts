import { InvalidSetting } from "../../../common/errors.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { resolved } from "./plainSchema.js";

/** Where a credential goes; `bearer` and `basic` go into the header Authorization. */
export interface AuthScheme {
  as: "bearer" | "basic" | "header" | "query" | "cookie";
  /** Of the header, parameter or cookie. */
  name?: string;
}

/** A credential as a home stores it: where it comes from, never the secret itself. */
export interface Credential extends AuthScheme {
  /** "$TOKEN", "user:$PASSWORD", or "$(command)". */
  value: string;
  /** It goes with every call, because no scheme of the document has its name. */
  always?: true;
}

const HELP =
  "Name where it comes from: --auth 'NAME=$VARIABLE' or --auth 'NAME=$(command)', in single quotes";

/** The supported security schemes of a document. */
export function schemesOf(document: JsonSchema): Record<string, AuthScheme> {
  const { components, securityDefinitions } = document;
  const declared = isSchema(components) ? components["securitySchemes"] : securityDefinitions;
  const schemes = Object.entries(isSchema(declared) ? declared : {}).flatMap(([name, given]) => {
    const scheme = schemeOf(resolved(given, document));
    return scheme ? [[name, scheme] as const] : [];
  });
  return Object.fromEntries(schemes);
}

function schemeOf({ type, scheme, in: where, name }: JsonSchema): AuthScheme | undefined {
  if (type === "basic") return { as: "basic" };
  if (type === "oauth2" || type === "openIdConnect") return { as: "bearer" };
  if (type === "http") {
    const kind = String(scheme).toLowerCase();
    return kind === "basic" || kind === "bearer" ? { as: kind } : undefined;
  }
  const isPlace = where === "header" || where === "query" || where === "cookie";
  return type === "apiKey" && isPlace && typeof name === "string" ? { as: where, name } : undefined;
}

/**
 * Reads what `--auth` says: `SCHEME=VALUE` with a security scheme of the document; or, for documents that lack it,
 * `bearer=`, `basic=`, `header:NAME=`, `query:NAME=` and `cookie:NAME=`, which then go with every call.
 *
 * @throws InvalidSetting for anything else, and for a value that is written out, because it would be stored; the
 *   message does not repeat it
 */
export function readAuth(
  texts: readonly string[],
  schemes: Readonly<Record<string, AuthScheme>>,
): Record<string, Credential> {
  return Object.fromEntries(
    texts.map((text) => {
      const at = text.indexOf("=");
      const name = at === -1 ? "" : text.slice(0, at).trim();
      const value = text.slice(at + 1).trim();
      if (name === "" || value === "") {
        throw new InvalidSetting({
          setting: "--auth",
          problem: "it is not of the form NAME=VALUE",
          hint: HELP,
        });
      }
      const known = Object.hasOwn(schemes, name) ? schemes[name] : undefined;
      const scheme = known ?? ownScheme(name);
      if (!scheme) throw unknownScheme(name, Object.keys(schemes));
      requireNamed(name, value);
      return [name, { ...scheme, value, ...(known ? {} : { always: true as const }) }];
    }),
  );
}

function ownScheme(text: string): AuthScheme | undefined {
  if (text === "bearer" || text === "basic") return { as: text };
  const [, as, name] = /^(header|query|cookie):([\w.-]+)$/.exec(text) ?? [];
  return name === undefined ? undefined : { as: as as "header" | "query" | "cookie", name };
}

function unknownScheme(name: string, schemes: readonly string[]): InvalidSetting {
  const known = schemes.length > 0 ? `has ${schemes.join(", ")}` : "declares none";
  return new InvalidSetting({
    setting: "--auth",
    problem: `"${name.slice(0, 60)}" is not a security scheme of the document, which ${known}`,
    hint: "Also: bearer, basic, header:NAME, query:NAME and cookie:NAME, for every call",
  });
}

/** The environment variables in a value. */
export const VARIABLES = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

/** A value that is the output of a command. */
export const COMMAND = /^\$\((.+)\)$/s;

function requireNamed(name: string, value: string): void {
  if (COMMAND.test(value) || value.search(VARIABLES) !== -1) return;
  throw new InvalidSetting({
    setting: "--auth",
    problem: `the value of ${name.slice(0, 60)} is written out, and would be stored`,
    hint: HELP,
  });
}
