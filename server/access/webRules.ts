import { isIP } from "node:net";

/* What a web page in a browser may reach. */

/** Names by which a machine means itself, as they are written in URLs. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Listening on one of these means listening on all addresses of the machine. */
const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]", ""]);

/** The names of a server, and which foreign pages may use it. */
export interface WebRules {
  /** The address that it listens on. */
  address: string;
  /** Further names, in lower case; `*.example.com` for all subdomains. */
  hosts: readonly string[];
  /** `https://example.com` */
  origins: readonly string[];
}

/** Whether only programs on this machine can reach an address. */
export function isLoopback(address: string): boolean {
  return LOCAL_NAMES.has(address) || address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/**
 * Whether a request is meant for this server. A page can point its own domain at this machine (DNS rebinding), but the
 * browser then sends that domain in `Host`. IP addresses cannot be redirected like that, so a server that listens on
 * all addresses accepts any of them.
 *
 * @param host the header `Host`
 */
export function isOwnHost(host: string | undefined, rules: WebRules): boolean {
  const name = nameIn(host);
  if (name === undefined) return false;
  const { address, hosts } = rules;
  const isListed = hosts.some((known) =>
    known.startsWith("*.") ? name.endsWith(known.slice(1)) : name === known,
  );
  if (isListed || LOCAL_NAMES.has(name)) return true;
  const bare = name.replace(/^\[|\]$/g, "");
  if (WILDCARDS.has(address)) return isIP(bare) !== 0;
  return bare === address.replace(/^\[|\]$/g, "").toLowerCase();
}

/**
 * Whether a page may send requests: the server's own pages, and those of allowed origins. Requests that do not come
 * from a browser have no origin.
 */
export function isOwnOrigin(
  { origin, host }: { origin: string | undefined; host: string | undefined },
  { origins }: WebRules,
): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** The name in a `Host`, in lower case and without the port; undefined if it is malformed. */
function nameIn(host = ""): string | undefined {
  const [, name] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.exec(host) ?? [];
  return name?.toLowerCase();
}
