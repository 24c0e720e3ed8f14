import { lookup } from "node:dns/promises";
import { BlockList, isIP, isIPv6 } from "node:net";

type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Time limit in milliseconds for an answer. */
const ANSWERED_MS = 30_000;

/**
 * A fetch for addresses that a server tells us, such as where its logins are: it follows no redirect, so that nothing
 * secret goes to another host, and reaches no private address on behalf of a public server.
 *
 * @param told the address of the server that tells them
 */
export function guardedFetch(told: URL): Fetch {
  return async (address, init = {}) => {
    const url = new URL(address);
    await requireReachable(url, told);
    const limit = AbortSignal.timeout(ANSWERED_MS);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    return await fetch(url, { ...init, redirect: "error", signal });
  };
}

async function requireReachable(url: URL, told: URL): Promise<void> {
  if (url.host === told.host) return;
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new Error(`it names ${url.protocol}…, which is not a web address`);
  // Whoever registers a server of a private network means that network.
  if (!(await isPrivate(url)) || (await isPrivate(told))) return;
  throw new Error(`it names the private address ${url.host}, which a public server must not`);
}

/** Also if only one of several addresses of a name is private, because any of them could be used. */
async function isPrivate({ hostname }: URL): Promise<boolean> {
  const bare = hostname.replace(/^\[|\]$/g, "");
  const found = isIP(bare) ? [{ address: bare }] : await lookup(bare, { all: true });
  return found.some(({ address }) => PRIVATE.check(address, isIPv6(address) ? "ipv6" : "ipv4"));
}

const PRIVATE = new BlockList();
for (const range of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24",
  "192.168.0.0/16 198.18.0.0/15 224.0.0.0/4 240.0.0.0/4",
  "::/127 64:ff9b::/96 fc00::/7 fe80::/10 ff00::/8",
].flatMap((line) => line.split(" "))) {
  const [net = "", bits] = range.split("/");
  PRIVATE.addSubnet(net, Number(bits), isIPv6(net) ? "ipv6" : "ipv4");
}
