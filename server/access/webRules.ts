import { isIP } from "node:net";

/*
 * What a web page in a browser may reach. It stands alone because the development server is given it, too
 * (cli/dev/devGuard.ts).
 */

/** Names that only this machine has for itself, as addresses write them. */
export const LOCAL_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Addresses that stand for all of a machine's. */
const WILDCARDS: ReadonlySet<string> = new Set(["0.0.0.0", "::", "[::]", ""]);

/** By what names a server is known, and which pages of others may use it. */
export interface WebRules {
  /** The address that it listens on. */
  address: string;
  /** Further names, in lower case; `*.example.com` for all below. */
  hosts: readonly string[];
  /** `https://example.com` */
  origins: readonly string[];
}

/** Whether only programs of this machine reach an address. */
export function isLoopback(address: string): boolean {
  return LOCAL_NAMES.has(address) || address === "::1" || /^127\.\d+\.\d+\.\d+$/.test(address);
}

/**
 * Whether a request is meant for this server. A page can make a browser take its own name for this machine (DNS
 * rebinding), and is told by that name in `Host`. A number cannot be made another machine's, so that a server that
 * listens on all addresses is known by each.
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
 * Whether a page may send requests: one of the server's own, or one of an allowed origin. What no browser has sent
 * names no origin.
 */
export function isOwnOrigin(
  { origin, host }: { origin: string | undefined; host: string | undefined },
  { origins }: WebRules,
): boolean {
  if (origin === undefined || origins.includes(origin)) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

/** The name in a `Host`, in lower case and without the port; undefined where it is none. */
function nameIn(host = ""): string | undefined {
  const [, name] = /^([A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?$/.exec(host) ?? [];
  return name?.toLowerCase();
}
