import type {
  AuthorizationServerMetadata,
  FetchLike,
  OAuthDiscoveryState,
} from "@modelcontextprotocol/client";
import { following } from "../credentials/guardedFetch.js";
import { type Fields, fieldsOf, isSameAddress, textsIn, wordsIn } from "./lenientLogins.js";

/** Where a server's logins are. */
export interface Discovered extends OAuthDiscoveryState {
  /** Rights that the server asks for. */
  scope?: string;
}

/** Time limit in milliseconds for each place where metadata may be. */
const LOOK_UP_MS = 10_000;

/** Where metadata of some names are in use: before the path of what they are about, behind it, and for all of a host. */
function placesOf(origin: string, path: string, names: readonly string[]): string[] {
  return [`/.well-known/NAME${path}`, `${path}/.well-known/NAME`, "/.well-known/NAME"].flatMap(
    (form) => names.map((name) => origin + form.replace("NAME", name)),
  );
}

/**
 * Finds where a server's logins are, in each place where servers in use have it: the metadata of the protected resource
 * (RFC 9728) and of an authorization server that it names (RFC 8414, OpenID Connect), or of its own host.
 *
 * @param options.challenge what the server answered to a request without a login
 * @returns undefined for one that wants none; some ask for it only when tools are listed or called
 * @throws Error in one line when what it says is about another server, or cannot be read now
 */
export async function discoverLogins(options: {
  url: URL;
  challenge: Response;
  send: FetchLike;
}): Promise<Discovered | undefined> {
  const { url, challenge, send } = options;
  const { origin } = url;
  const isAsked = challenge.status === 401;
  const named = challengeIn(challenge, url);
  const found = await resourceOf(url, named.metadata, send).catch((error: unknown) => {
    if (isAsked) throw error;
    return undefined;
  });
  const servers = serversIn(found ?? {});
  if (!isAsked && servers.length === 0) return undefined;
  const scope = named.scope ?? (wordsIn(found?.["scopes_supported"]).join(" ") || undefined);
  const resource = resourceIn(found ?? {});
  const about = { scope, ...(resource !== undefined && { resourceMetadata: { resource } }) };
  const places = servers.length > 0 ? servers : [origin, url.href];
  const discovered = await firstOf(places, async (server) => {
    const metadata = await metadataOf(server, send);
    return metadata && { authorizationServerUrl: server, authorizationServerMetadata: metadata };
  });
  return { ...about, ...(discovered ?? { authorizationServerUrl: servers[0] ?? origin }) };
}

/** What the first of some places gives. @throws Error of the first that cannot be read now, if none gives anything */
async function firstOf<Found>(
  places: readonly string[],
  read: (place: string) => Promise<Found | undefined>,
): Promise<Found | undefined> {
  let problem: unknown;
  for (const place of new Set(places)) {
    try {
      const found = await read(place);
      if (found !== undefined) return found;
    } catch (error) {
      problem ??= error;
    }
  }
  if (problem) throw problem;
  return undefined;
}

/** What the challenges of a refusal say, whichever scheme they belong to and however they are quoted. */
export function challengeIn(
  { headers }: Response,
  url: string | URL,
): { metadata?: string; scope?: string; error?: string } {
  const text = headers.get("www-authenticate") ?? "";
  const valueOf = (name: string) => {
    const value = `(?:"((?:[^"\\\\]|\\\\.)*)"|'([^']*)'|([^\\s,"']+))`;
    const found = new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*${value}`, "i").exec(text)?.slice(1);
    return found?.find(Boolean)?.replaceAll(/\\(.)/g, "$1").trim();
  };
  const link = valueOf("resource_metadata");
  const metadata = link && URL.canParse(link, url) ? new URL(link, url).href : undefined;
  return { metadata, scope: valueOf("scope")?.replaceAll(",", " "), error: valueOf("error") };
}

/** The metadata of a server as a protected resource; undefined where there are none. */
async function resourceOf(
  url: URL,
  named: string | undefined,
  send: FetchLike,
): Promise<Fields | undefined> {
  const { origin, pathname, search } = url;
  const name = "oauth-protected-resource";
  const [first = "", ...others] = placesOf(origin, pathname.replace(/\/+$/, ""), [name]);
  const places = [named ?? [], first + search, first, ...others].flat();
  return await firstOf(places, async (place) => {
    // A firewall, for example; the next place may answer.
    const { fields = {} } = (await lookUp(place, send).catch(() => undefined)) ?? {};
    const resource = resourceIn(fields);
    if (resource !== undefined && !isAbout(url, resource))
      throw new Error(`it names another resource, ${resource}, which is not ${url.href}`);
    return resource === undefined && serversIn(fields).length === 0 ? undefined : fields;
  });
}

function resourceIn(fields: Fields): string | undefined {
  return textsIn(fields["resource"])[0];
}

/** Whether metadata are about a server: also with another slash at the end, or about all of its host. */
function isAbout(url: URL, resource: string): boolean {
  // Behind a proxy, a server may not know that it is reached over TLS.
  const own = url.protocol === "https:" ? resource.replace(/^http:/, "https:") : resource;
  if (!URL.canParse(own)) return false;
  const { origin, pathname } = new URL(own);
  return origin === url.origin && `${url.pathname}/`.startsWith(`${pathname.replace(/\/+$/, "")}/`);
}

/** The authorization servers that are named, as addresses or as objects with one. */
function serversIn(fields: Fields): string[] {
  const { authorization_servers: all, authorization_server: one } = fields;
  return [all ?? one]
    .flat()
    .flatMap((each) => {
      const { issuer, url } = Object(each) as Fields;
      return wordsIn(issuer ?? url ?? each);
    })
    .filter((address) => URL.canParse(address));
}

/** The metadata of an authorization server; undefined where there are none. */
export async function metadataOf(
  server: string,
  send: FetchLike,
): Promise<AuthorizationServerMetadata | undefined> {
  const { origin, pathname } = new URL(server);
  const path = pathname.replace(/\/\.well-known\/.*|\/+$/, "");
  const isItself = path !== pathname.replace(/\/+$/, "");
  const names = ["oauth-authorization-server", "openid-configuration"];
  const places = [isItself ? server : [], placesOf(origin, path, names)].flat();
  return await firstOf(places, async (place) => {
    const { fields = {}, at = place } = (await lookUp(place, send)) ?? {};
    const isFound = "authorization_endpoint" in fields || "token_endpoint" in fields;
    return isFound ? metadataIn(fields, { server: `${origin}${path}`, at }) : undefined;
  });
}

const LISTS = [
  "code_challenge_methods_supported",
  "grant_types_supported",
  "token_endpoint_auth_methods_supported",
  "scopes_supported",
];

/** What a login needs of metadata; in the rest, providers write what they like. */
function metadataIn(
  fields: Fields,
  { server, at }: { server: string; at: string },
): AuthorizationServerMetadata {
  // Also that of the place or the host where they were found, after a redirect for example.
  const known = [server, at.replace(/\/\.well-known\/[^/?]+|\?.*/g, ""), new URL(at).origin];
  const [issuer = server] = textsIn(fields["issuer"]);
  // Microsoft's tenant stands in an address where the metadata have {tenantid}.
  const meant = known.find((each) =>
    isSameAddress(each, issuer.replace("{tenantid}", new URL(each).pathname.split("/")[1] ?? "")),
  );
  if (meant === undefined)
    throw new Error(`its metadata are those of another issuer, ${issuer}, which is not ${server}`);
  const endpoints = ["authorization_endpoint", "token_endpoint", "registration_endpoint"].flatMap(
    (key) => {
      const [address] = textsIn(fields[key]);
      const isAddress = address !== undefined && URL.canParse(address, at);
      return isAddress ? [[key, new URL(address, at).href]] : [];
    },
  );
  // An empty list says nothing.
  const lists = LISTS.map((key) => [
    key,
    wordsIn(fields[key]).map((word) => word.replace(/^s256$/i, "S256")),
  ]).filter(([, list]) => list?.length);
  const types = textsIn(fields["response_types_supported"]);
  if (types.length > 0 && !types.some((type) => /\bcode\b/.test(type)))
    throw new Error(`it offers no login by a code, only by ${types.join(", ")}`);
  return {
    response_types_supported: ["code"],
    ...Object.fromEntries([...endpoints, ...lists]),
    // An answer may name it as the metadata do.
    issuer: meant,
    authorization_response_iss_parameter_supported:
      String(fields["authorization_response_iss_parameter_supported"]) === "true",
  } as AuthorizationServerMetadata;
}

/** A JSON object at an address, and where it was; undefined where there is none. @throws Error if there may be one */
async function lookUp(address: string, send: FetchLike) {
  const response = await following(send)(address, {
    headers: { accept: "application/json" },
    signal: AbortSignal.timeout(LOOK_UP_MS),
  });
  const { ok, status, url } = response;
  if (ok) {
    const fields = fieldsOf(await response.text());
    return fields && { fields, at: url };
  }
  await response.body?.cancel();
  if (status >= 500) throw new Error(`HTTP ${status} at ${address}`);
  return undefined;
}
