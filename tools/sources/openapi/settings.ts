import { z } from "zod";
import { InvalidSetting, LibraryFailed } from "../../../common/errors.js";
import { isSchema } from "../../../common/schemas/referredSchema.js";
import type { JsonSchema } from "../../../common/schemas/jsonSchema.js";
import { type ConnectedSource, CREDENTIALS, type WantedCredentials } from "../../remote.js";
import type { HttpOperation } from "../../tool.js";
import { headerName } from "./operations.js";
import { resolved } from "./plainSchema.js";

/** A credential as a home stores it: where it comes from, never the secret itself. */
const credentialForm = z.object({
  as: z.enum(["bearer", "basic", "header", "query", "cookie"]),
  /** Of the header, parameter or cookie. */
  name: z.string().optional(),
  /** "$TOKEN" or "user:$PASSWORD". */
  value: z.string(),
  /** It goes with every call, because no operation of the document asks for a scheme of its name. */
  always: z.literal(true).optional(),
});

type Credential = z.output<typeof credentialForm>;

/** Where a credential goes; `bearer` and `basic` go into the header Authorization. */
export type AuthScheme = Pick<Credential, "as" | "name" | "always">;

const HELP = "Name where it comes from: --auth 'NAME=$VARIABLE', in single quotes";

/**
 * The supported security schemes of a document, in version 2.0's place, too.
 *
 * @param asked those that operations ask for
 */
export function schemesOf(
  document: JsonSchema,
  asked: ReadonlySet<string>,
): Record<string, AuthScheme> {
  const schemes = declaredSchemes(document).flatMap(([name, given]) => {
    const scheme = schemeOf(given);
    const always = asked.has(name) ? {} : { always: true as const };
    return scheme ? [[name, { ...scheme, ...always }] as const] : [];
  });
  return Object.fromEntries(schemes);
}

function declaredSchemes(document: JsonSchema): [string, JsonSchema][] {
  const { components, securityDefinitions } = document;
  const declared = isSchema(components) ? components["securitySchemes"] : undefined;
  const all = { ...Object(securityDefinitions), ...Object(declared) } as JsonSchema;
  return Object.entries(all).map(([name, given]) => [name, resolved(given, document)]);
}

/**
 * Ways to credentials without those that demand a certificate of whoever connects.
 *
 * @param isBehind whether calls go to an address of the user's own: whoever answers there has the certificate
 */
export function givenWays(ways: string[][] | undefined, document: JsonSchema, isBehind: boolean) {
  const all = declaredSchemes(document).filter(([, { type }]) => /^mutualtls$/i.test(String(type)));
  const isGiven = (name: string) => all.every(([certificate]) => certificate !== name);
  const left = isBehind ? ways : ways?.filter((names) => names.every(isGiven));
  return left?.map((names) => names.filter(isGiven));
}

function schemeOf({ type, scheme, in: where, name }: JsonSchema): AuthScheme | undefined {
  const written = String(type).toLowerCase();
  const kind = written === "http" ? String(scheme).toLowerCase() : written;
  if (kind === "basic" || kind === "bearer") return { as: kind };
  if (kind === "oauth2" || kind === "openidconnect") return { as: "bearer" };
  // Of other schemes, the value says all: "Token $TOKEN".
  if (written === "http") return { as: "header", name: "Authorization" };
  const as = PLACES.find((place) => place === String(where).toLowerCase());
  if (kind !== "apikey" || !as || typeof name !== "string") return undefined;
  const own = as === "header" ? headerName(name) : name;
  return own === undefined ? undefined : { as, name: own };
}

const PLACES = ["header", "query", "cookie"] as const;

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
const VARIABLES = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g;

function requireNamed(name: string, value: string): void {
  if (value.search(VARIABLES) !== -1) return;
  throw new InvalidSetting({
    setting: "--auth",
    problem: `the value of ${name.slice(0, 60)} is written out, and would be stored`,
    hint: HELP,
  });
}

/** A credential with its secret, for a request. */
export interface ReadyCredential extends Credential {
  secret: string;
}

/**
 * The credentials of a call: those of the document's first list of schemes that is known completely, and those that go
 * with every call.
 *
 * @param own somebody's own values, in place of the environment's
 * @throws Error in one line, without any value, if one cannot be read or none was named
 */
export function credentialsFor(
  api: string,
  { security = [] }: HttpOperation,
  auth: Readonly<Record<string, Credential>>,
  own: Variables = process.env,
): ReadyCredential[] {
  const always = Object.keys(auth).filter((name) => auth[name]?.always);
  const known = security.filter((names) => names.every((name) => Object.hasOwn(auth, name)));
  const chosen = known.find((names) => names.length > 0) ?? known[0];
  if (security.length > 0 && !chosen && always.length === 0) {
    const wanted = security.map((names) => names.join(" and ")).join(", or ");
    throw new Error(
      `it needs credentials (${wanted}), but source ${api} has none. Import it again with --auth '${security[0]?.[0] ?? "NAME"}=$VARIABLE'`,
    );
  }
  return [...new Set([...always, ...(chosen ?? [])])].flatMap((name) => {
    const credential = auth[name];
    return credential ? [{ ...credential, secret: filled(name, credential.value, own) }] : [];
  });
}

/** Values of variables, by name. */
type Variables = Readonly<Record<string, string | undefined>>;

/** The variables that credentials name. */
export function variablesIn(auth: Readonly<Record<string, Credential>>): string[] {
  const named = Object.values(auth).flatMap(({ value }) => [...value.matchAll(VARIABLES)]);
  return [...new Set(named.map(([, braced, plain = ""]) => braced ?? plain))];
}

function filled(name: string, value: string, variables: Variables): string {
  return value.replaceAll(VARIABLES, (_, braced?: string, plain?: string) => {
    const variable = braced ?? plain ?? "";
    const found = variables[variable];
    if (found) return found;
    throw new Error(`its credential ${name} comes from $${variable}, which is not set`);
  });
}

const form = z.object({
  /** The absolute path of a file, or an address. */
  document: z.string(),
  /** Where the API answers, if not where the document says. */
  base: z.string().optional(),
  /** Patterns that select operations; absent for all. */
  only: z.array(z.string()).optional(),
  /** False if operations that the document calls deprecated are left out. */
  deprecated: z.boolean().optional(),
  auth: z.record(z.string(), credentialForm).default({}),
  credentials: z.enum(CREDENTIALS).optional(),
  issuer: z.string().optional(),
  audience: z.string().optional(),
  /** The origins that calls go to, if the API takes each owner's own credentials. */
  places: z.array(z.string()).optional(),
});

/** How to read a document again and call its operations; never contains a secret. */
export type OpenApiSettings = z.output<typeof form>;

/**
 * The settings of a source as a home stores them.
 *
 * @throws LibraryFailed for settings of another version
 */
export function openApiSettings(source: string, settings: unknown): OpenApiSettings {
  const { data } = form.safeParse(settings);
  if (data) return data;
  throw new LibraryFailed({
    library: source,
    problem: "the settings of this source cannot be read",
    hint: "Import its document again",
  });
}

/** What an API wants of each person whose own credentials it takes. */
export function wantedByOpenApi({
  name,
  settings,
}: Pick<ConnectedSource, "name" | "settings">): WantedCredentials {
  const { auth, places = [] } = openApiSettings(name, settings);
  return { way: "key", fields: variablesIn(auth), places };
}
